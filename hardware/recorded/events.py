"""The lines of a recording's `events.jsonl`: frames, presses of buttons, and instructions by other means."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Annotated, Any, Final, TypeAlias

import msgspec

from companion.languages import Sentence, any_of, said
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


LATEST_S: Final = 1e12
"""The greatest valid time in seconds."""

RecordedEvent: TypeAlias = FrameTaken | Press | Instruction


class _Line(msgspec.Struct, omit_defaults=True):
    """A line as it is written; its keys are those of existing recordings."""

    t: Annotated[float, msgspec.Meta(ge=-LATEST_S, le=LATEST_S)]
    frame: str | msgspec.UnsetType = msgspec.UNSET
    button: Button | msgspec.UnsetType = msgspec.UNSET
    told: dict[str, Any] | msgspec.UnsetType | None = msgspec.UNSET
    truth: dict[str, Any] | None = None
    answers: bool | None = None
    takes_back: bool = False
    looks: bool = False
    insists: bool = False


_DECODER: Final = msgspec.json.Decoder(_Line)
# A null byte, and lone surrogates, which JSON can express and file systems reject.
_NO_NAME: Final = re.compile("[\0\ud800-\udfff]")


def event_from_line(line: bytes) -> RecordedEvent:
    """Parse one line.

    Raises:
        ValueError: the line is malformed; the message is the reason, in one line.
    """
    try:
        # Some editors begin a file with a byte order mark.
        read = _DECODER.decode(line.removeprefix(b"\xef\xbb\xbf"))
    except msgspec.ValidationError as error:
        raise ValueError(_refused(str(error))) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise ValueError(said("is not JSON; a line of a recording is one object")) from None
    if sum(kind is not msgspec.UNSET for kind in (read.frame, read.button, read.told)) != 1:
        raise ValueError(
            said("must have either {first} or {other}, or {third}", first='"frame"', other='"button"', third='"told"')
        )
    if isinstance(read.frame, str):
        return FrameTaken(read.t, _frame_name(read.frame), read.truth)
    if isinstance(read.button, Button):
        return Press(read.button, read.t, read.answers)
    decision = None if isinstance(read.told, msgspec.UnsetType) else read.told
    return Instruction(read.t, decision, bool(read.answers), read.takes_back, read.looks, read.insists)


def _refused(fault: str) -> Sentence:
    """Return the sentence for a line that msgspec refuses; its own words, in English, name a key after `$.`."""
    key = fault.partition("`$.")[2].rstrip("`")
    if key == "button":
        return said(
            "is no event: {key} is not valid; allowed: {allowed}",
            key='"button"',
            allowed=any_of([f'"{name}"' for name in Button]),
        )
    if key:
        return said("is no event: {key} has a value that it cannot have", key=f'"{key[:40]}"')
    return said("is no event: {key} is missing, or it is no object", key='"t"')


def line_for_frame(t_s: float, name: str, truth: Mapping[str, Any] | None = None) -> str:
    """Return the line of a frame for `event_from_line`, without a line break."""
    return _written(_Line(round(t_s, 4), frame=name, truth=None if truth is None else dict(truth)))


def line_for_press(t_s: float, button: Button, answers: bool | None) -> str:
    """Return the line of a press for `event_from_line`, without a line break."""
    # Without the seat: presses out of turn were dropped before they are recorded.
    return _written(_Line(round(t_s, 4), button=button, answers=answers))


def line_for_instruction(instruction: Instruction) -> str:
    """Return the line of an instruction for `event_from_line`, without a line break."""
    told = None if instruction.decision is None else dict(instruction.decision)
    flags = {name: getattr(instruction, name) for name in ("takes_back", "looks", "insists")}
    return _written(_Line(round(instruction.t_s, 4), told=told, answers=instruction.answers or None, **flags))


def _written(line: _Line) -> str:
    return msgspec.json.encode(line).decode()


def _frame_name(name: str) -> str:
    if not name or PurePath(name).name != name or _NO_NAME.search(name):
        raise ValueError(
            said(
                "{key} must be the name of a file in {folder}, is {name}",
                key='"frame"',
                folder="frames/",
                name=repr(name[:40]),
            )
        )
    return name
