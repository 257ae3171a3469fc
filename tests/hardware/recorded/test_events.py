from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.languages import LANGUAGES, render
from hardware.ports import Button, Press
from hardware.recorded.events import (
    FrameTaken,
    Instruction,
    event_from_line,
    line_for_frame,
    line_for_instruction,
    line_for_press,
)

TIMES = st.floats(0, 1e6).map(lambda t_s: round(t_s, 4))


@given(TIMES, st.from_regex(r"[0-9a-z]{1,8}\.jpg", fullmatch=True))
def test_a_frame_survives_the_line(t_s: float, name: str) -> None:
    assert event_from_line(line_for_frame(t_s, name).encode()) == FrameTaken(t_s, name)


@given(TIMES, st.sampled_from(list(Button)), st.sampled_from([None, True, False]))
def test_a_press_survives_the_line(t_s: float, button: Button, answers: bool | None) -> None:
    assert event_from_line(line_for_press(t_s, button, answers).encode()) == Press(button, t_s, answers)


def test_the_truth_of_a_frame_survives_the_line() -> None:
    line = line_for_frame(1.0, "a.jpg", {"markers": [3, 53]})
    assert event_from_line(line.encode()) == FrameTaken(1.0, "a.jpg", {"markers": [3, 53]})


def test_keys_of_a_later_format_are_passed_over() -> None:
    assert event_from_line(b'{"t": 1, "frame": "a.jpg", "exposure_us": 3}\r\n') == FrameTaken(1.0, "a.jpg")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"{", "is not JSON"),
        (b'{"t": 1, "frame": "\xff"}', "is not JSON"),
        (b"[1]", 'is no event: "t" is missing, or it is no object'),
        (b'{"frame": "a.jpg"}', 'is no event: "t" is missing'),
        (b'{"t": true, "frame": "a.jpg"}', 'is no event: "t" has a value that it cannot have'),
        (b'{"t": NaN, "frame": "a.jpg"}', "is not JSON"),
        (b'{"t": 1e999, "frame": "a.jpg"}', "is no"),
        (b'{"t": 1e13, "frame": "a.jpg"}', 'is no event: "t" has a value that it cannot have'),
        (b'{"t": ' + b"9" * 5000 + b', "frame": "a.jpg"}', "is no"),
        (b"[" * 200_000, "is no"),
        (b'{"t": 1}', 'either "frame" or "button"'),
        (b'{"t": 1, "told": null, "button": "undo"}', 'either "frame" or "button"'),
        (b'{"t": 1, "told": "advance"}', '"told" has a value'),
        (b'{"t": 1, "told": null, "looks": 1}', '"looks" has a value'),
        (b'{"t": 1, "frame": "a.jpg", "button": "undo"}', 'either "frame" or "button"'),
        (b'{"t": 1, "frame": "../a.jpg"}', "name of a file in frames/"),
        (b'{"t": 1, "frame": "a.jpg", "truth": [3, 53]}', '"truth" has a value'),
        (b'{"t": 1, "frame": ""}', "name of a file in frames/"),
        (b'{"t": 1, "frame": 7}', '"frame" has a value'),
        (b'{"t": 1, "button": "konfirm"}', '"button" is not valid; allowed: "confirm", "advance" or "undo"'),
        (b'{"t": 1, "button": ["undo"]}', '"button" is not valid'),
        (b'{"t": 1, "button": "undo", "answers": 1}', '"answers" has a value'),
    ],
)
def test_a_malformed_line_is_refused_with_its_reason(line: bytes, says: str) -> None:
    with pytest.raises(ValueError, match=says) as caught:
        event_from_line(line)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "told",
    [
        Instruction(1.5, None, answers=True),
        Instruction(2.0, {"seat": 1, "move": "advance"}),
        Instruction(3.25, {"seat": 2, "move": "leather", "cells": ["E5"]}, takes_back=True, looks=True),
    ],
)
def test_an_instruction_survives_the_line(told: Instruction) -> None:
    line = line_for_instruction(told)
    assert event_from_line(line.encode()) == told
    assert "false" not in line


@pytest.mark.parametrize(
    "line", [b'{"t": 1, "button": "sing"}', b'{"t": 1}', b'{"t": "x", "frame": "a.jpg"}', b"{", b"[1]"]
)
def test_a_malformed_line_is_refused_in_the_readers_language(line: bytes) -> None:
    with pytest.raises(ValueError, match=r"must|is no") as caught:
        event_from_line(line)
    russian = render(caught.value.args[0], LANGUAGES["ru"])
    assert re.search("[а-я]{4}", russian)
    assert not re.search("[A-Za-z]{5}", re.sub('"[a-z]+"|JSON', "", russian))
