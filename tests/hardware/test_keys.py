from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.keys import MOST, Binding, Model, binding_of, key_code, key_name, line_of
from hardware.ports import Button

HEADER = Path("/usr/include/linux/input-event-codes.h")


@given(
    button=st.sampled_from(Button),
    seat=st.none() | st.integers(1, 8),
    key=st.integers(0, MOST),
    vendor=st.integers(0, 0xFFFF),
    product=st.integers(0, 0xFFFF),
    place=st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=40),
)
def test_a_line_says_all_of_it(
    button: Button, seat: int | None, key: int, vendor: int, product: int, place: str
) -> None:
    binding = Binding(button, key, Model(vendor, product, place), seat=seat)
    assert binding_of(line_of(binding)) == binding


def test_a_line_is_written_like_this() -> None:
    binding = Binding(Button.CONFIRM, 96, Model(0x1A2C, 0x0E24, "usb-1.2"), seat=1)
    assert line_of(binding) == "confirm@1 KEY_KPENTER 1a2c:0e24 usb-1.2"
    assert binding.name == "confirm key of seat 1 (KEY_KPENTER)"
    assert line_of(Binding(Button.UNDO, 0x2F0, Model(1, 2))) == "undo CODE_752 0001:0002"


@pytest.mark.parametrize(
    "line",
    ["", "confirm", "press KEY_A 0001:0002", "confirm KEY_NONE 0001:0002", "confirm KEY_A 1:2",
     "confirm@9 KEY_A 0001:0002",
     "confirm CODE_999 0001:0002", "confirm KEY_A 0001:0002 a b", "confirm KEY_A 0001:0002\n"],
)  # fmt: skip
def test_anything_else_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        binding_of(line)


def test_every_key_has_one_name() -> None:
    names = [key_name(code) for code in range(MOST + 1)]
    assert len(set(names)) == len(names)
    assert [key_code(name) for name in names] == list(range(MOST + 1))


@pytest.mark.skipif(not HEADER.exists(), reason="the kernel's header (linux-libc-dev) is not on this machine")
def test_the_names_are_the_kernels() -> None:
    found = re.findall(r"#define ((?:KEY|BTN)_\w+)\s+(0x[0-9a-f]+|\d+)\b", HEADER.read_text())
    kernels = {name: int(code, 0) for name, code in found}
    ours = {key_name(code): code for code in range(MOST + 1) if not re.fullmatch(r"CODE_\d+", key_name(code))}
    assert len(ours) > 150
    assert {name: kernels.get(name) for name in ours} == ours
