"""Test that a written file is read back unchanged."""

from __future__ import annotations

import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from companion.kvilt.defining.tables import sheet_text

_KEYS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_NUMBERS = st.integers(-1000, 1000) | st.integers(-100000, 100000).map(lambda hundredth: hundredth / 100)
_SCALARS = _NUMBERS | st.booleans() | st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
_LISTS = st.lists(_SCALARS, max_size=5) | st.lists(st.lists(_NUMBERS, max_size=4), max_size=30)
_WORDS = st.dictionaries(_KEYS, st.text(st.characters(exclude_categories=["Cs"]), max_size=8), min_size=1, max_size=3)
_TABLES = st.recursive(
    st.dictionaries(_KEYS, _SCALARS | _LISTS | _WORDS, max_size=4),
    lambda inner: st.dictionaries(_KEYS, inner | st.lists(inner, min_size=1, max_size=3) | _SCALARS, max_size=4),
    max_leaves=10,
)


@given(_TABLES)
def test_any_tables_come_back(tables: dict[str, Any]) -> None:
    assert tomllib.loads(sheet_text(tables)) == tables


def test_unknown_values_are_left_out_and_long_lists_have_a_line_each() -> None:
    text = sheet_text({"a": None, "b": {"cell": [[1.0, 2.5, 3, 4]] * 12, "c": [1, None]}})
    assert "a =" not in text
    assert text.count("  [1, 2.5, 3, 4],\n") == 12
    assert "c = [1]" in text
