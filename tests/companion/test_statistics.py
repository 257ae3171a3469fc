from __future__ import annotations

import pytest

from companion.statistics import longest_run


@pytest.mark.parametrize(
    ("wins", "most"), [("", 0), ("0", 0), ("1", 1), ("0110", 2), ("1011101", 3), ("1101100111", 3)]
)
def test_the_longest_run_of_victories(wins: str, most: int) -> None:
    assert longest_run([win == "1" for win in wins]) == most
