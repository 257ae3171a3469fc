"""The lines of a recording's `events.jsonl`: frames, presses of buttons, and instructions by other means."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final, TypeAlias

from hardware.ports import Button, HardwareError, Press


class RecordingError(HardwareError):
    """A table recording cannot be read or written; one line, "FILE:LINE: reason" if a certain line is at fault."""


@dataclass(frozen=True, slots=True)
class FrameTaken:
    """A frame.

    Attributes:
        t_s: time of the frame.
        name: of its file in the recording's folder `frames`.
        truth: the recorder's ground truth of the frame, as of a simulated table; None if there is none.
    """

    t_s: float
    name: str
    truth: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Instruction:
    """An instruction of the players other than by buttons, such as by tapping cells on a page.

    Attributes:
        t_s: time of the instruction.
        decision: the decision, as a line of a game record; None if it selects no answer of a question.
        answers: whether it answers a question.
        takes_back: whether the latest decision is taken back first.
        looks: whether it was not read from the quilts, so that these are read first.
        insists: whether players confirmed that the state complained of is as intended, and are asked about it.
    """

    t_s: float
    decision: Mapping[str, Any] | None
    answers: bool = False
    takes_back: bool = False
    looks: bool = False
    insists: bool = False


LATEST_S = 1e12
"""The greatest valid time in seconds; the comparison also rejects NaN."""

RecordedEvent: TypeAlias = FrameTaken | Press | Instruction
# The keys' names are those of existing recordings.
_KINDS = ("frame", "button", "told")


def event_from_line(line: bytes) -> RecordedEvent:
    """Parse one line.

    Raises:
        ValueError: the line is malformed; the message is the reason, in one line.
    """
    event = _object_from(line)
    t_s = _time_of(event)
    if sum(kind in event for kind in _KINDS) != 1:
        raise ValueError('must have either "frame" or "button", or "told"')
    if "frame" in event:
        return FrameTaken(t_s, _frame_name(event["frame"]), _truth(event))
    if "told" in event:
        return _instruction(t_s, event)
    return Press(_button(event["button"]), t_s, _answers(event))


def line_for_frame(t_s: float, name: str, truth: Mapping[str, Any] | None = None) -> str:
    """Return the line of a frame for `event_from_line`, without a line break."""
    known = {} if truth is None else {"truth": dict(truth)}
    return json.dumps({"t": round(t_s, 4), "frame": name, **known})


def line_for_press(t_s: float, button: Button, answers: bool | None) -> str:
    """Return the line of a press for `event_from_line`, without a line break."""
    # Without the seat: presses out of turn were dropped before they are recorded.
    event: dict[str, object] = {"t": round(t_s, 4), "button": button.value}
    if answers is not None:
        event["answers"] = answers
    return json.dumps(event)


def line_for_instruction(instruction: Instruction) -> str:
    """Return the line of an instruction for `event_from_line`, without a line break."""
    flags = {name: True for name in _FLAGS if getattr(instruction, name)}
    decision = None if instruction.decision is None else dict(instruction.decision)
    return json.dumps({"t": round(instruction.t_s, 4), "told": decision, **flags})


_FLAGS = ("answers", "takes_back", "looks", "insists")


def _instruction(t_s: float, event: dict[str, Any]) -> Instruction:
    decision, flags = event["told"], {name: event.get(name, False) for name in _FLAGS}
    if decision is not None and not isinstance(decision, dict):
        raise ValueError(f'"told" must be a decision as in a game record, or null; is {_shown(decision)}')
    for name, flag in flags.items():
        if not isinstance(flag, bool):
            raise ValueError(f'"{name}" must be true or false, is {_shown(flag)}')
    return Instruction(t_s, decision, **flags)


def _object_from(line: bytes) -> dict[str, Any]:
    try:
        # Some editors begin a file with a byte order mark.
        event = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ValueError("is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"is not JSON: {error.msg}") from None
    except (RecursionError, ValueError):
        raise ValueError("is not JSON that can be read: too deep, or a number too long") from None
    if not isinstance(event, dict):
        raise ValueError('must be an object such as {"t": 0.0, "frame": "000000.jpg"}')
    return event


# A null byte, and lone surrogates, which JSON can express and file systems reject.
_NO_NAME: Final = re.compile("[\0\ud800-\udfff]")


def _time_of(event: dict[str, Any]) -> float:
    value = event.get("t")
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LATEST_S:
        raise ValueError(f'"t" must be a number of seconds, is {_shown(value)}')
    return float(value)


def _frame_name(value: object) -> str:
    if not isinstance(value, str) or not value or PurePath(value).name != value or _NO_NAME.search(value):
        raise ValueError(f'"frame" must be the name of a file in frames/, is {_shown(value)}')
    return value


def _truth(event: dict[str, Any]) -> Mapping[str, Any] | None:
    truth = event.get("truth")
    if truth is not None and not isinstance(truth, dict):
        raise ValueError(f'"truth" must be an object, is {_shown(truth)}')
    return truth


def _button(value: object) -> Button:
    try:
        return Button(value)  # type: ignore[arg-type]  # the enumeration rejects other types
    except ValueError:
        known = ", ".join(button.value for button in Button)
        raise ValueError(f'"button" must be one of {known}; is {_shown(value)}') from None


def _answers(event: dict[str, Any]) -> bool | None:
    value = event.get("answers")
    if value is not None and not isinstance(value, bool):
        raise ValueError(f'"answers" must be true or false, is {_shown(value)}')
    return value


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
