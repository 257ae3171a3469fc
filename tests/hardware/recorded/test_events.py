from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def test_what_was_known_of_a_frame_survives_the_line() -> None:
    line = line_for_frame(1.0, "a.jpg", {"markers": [3, 53]})
    assert event_from_line(line.encode()) == FrameTaken(1.0, "a.jpg", {"markers": [3, 53]})


def test_keys_of_a_later_format_are_passed_over() -> None:
    assert event_from_line(b'{"t": 1, "frame": "a.jpg", "exposure_us": 3}\r\n') == FrameTaken(1.0, "a.jpg")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"{", "is not JSON"),
        (b"\xff\xfe", "is not UTF-8"),
        (b"[1]", "must be an object"),
        (b'{"frame": "a.jpg"}', '"t" must be a number of seconds, is None'),
        (b'{"t": true, "frame": "a.jpg"}', '"t" must be a number'),
        (b'{"t": NaN, "frame": "a.jpg"}', '"t" must be a number'),
        (b'{"t": 1e999, "frame": "a.jpg"}', '"t" must be a number'),
        (b'{"t": ' + b"9" * 5000 + b', "frame": "a.jpg"}', "number too long"),
        (b'{"t": ' + b"9" * 500 + b', "frame": "a.jpg"}', '"t" must be a number'),
        (b"[" * 200_000, "too deep"),
        (b'{"t": 1}', 'either "frame" or "button"'),
        (b'{"t": 1, "told": null, "button": "undo"}', 'either "frame" or "button"'),
        (b'{"t": 1, "told": "advance"}', '"told" must be a decision as in a game record, or null'),
        (b'{"t": 1, "told": null, "looks": 1}', '"looks" must be true or false, is 1'),
        (b'{"t": 1, "frame": "a.jpg", "button": "undo"}', 'either "frame" or "button"'),
        (b'{"t": 1, "frame": "../a.jpg"}', "name of a file in frames/"),
        (b'{"t": 1, "frame": "a.jpg", "truth": [3, 53]}', '"truth" must be an object, is .3, 53'),
        (b'{"t": 1, "frame": ""}', "name of a file in frames/"),
        (b'{"t": 1, "frame": 7}', "name of a file in frames/"),
        (b'{"t": 1, "button": "konfirm"}', "must be one of confirm, advance, undo; is 'konfirm'"),
        (b'{"t": 1, "button": ["undo"]}', "must be one of confirm, advance, undo"),
        (b'{"t": 1, "button": "undo", "answers": 1}', '"answers" must be true or false'),
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
def test_what_was_told_goes_round(told: Instruction) -> None:
    line = line_for_instruction(told)
    assert event_from_line(line.encode()) == told
    assert "false" not in line
