"""One pass through a recording, shared by the camera and the buttons that play it."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from companion.durable import read_bytes
from companion.languages import reason, said, system_says, unreadable
from companion.pictures import PictureError, decoded
from hardware.ports import EndOfFramesError, Frame, Press
from hardware.recorded.events import FrameTaken, Instruction, RecordedEvent, RecordingError, event_from_line

EVENTS_NAME = "events.jsonl"
FRAMES_NAME = "frames"
_LONGEST_LINE_BYTES: Final = 1 << 20


class Tape:
    """A table recording's events, played in their order.

    A fault in the middle is raised only when it is reached: the events before it are played.
    """

    def __init__(self, folder: Path) -> None:
        """Open the recording in `folder`.

        Raises:
            RecordingError: there is no such folder, or it holds no events.
        """
        self._frames_path = folder / FRAMES_NAME
        self._events_path = folder / EVENTS_NAME
        if not folder.is_dir():
            raise RecordingError.said(
                "{path}: no such folder; a table recording is a folder with {file}",
                path=str(folder),
                file=EVENTS_NAME,
            )
        if not self._events_path.is_file():
            raise RecordingError.said(
                "{path}: is missing; a table recording lists its events there", path=str(self._events_path)
            )
        self._events = self._read()
        self._presses: deque[Press] = deque()
        self._instructions: deque[Instruction] = deque()
        self._next: tuple[int, FrameTaken] | None = None
        self._failure: RecordingError | None = None
        self._ended = False
        self._truth: Mapping[str, Any] | None = None

    @property
    def truth(self) -> Mapping[str, Any] | None:
        """The truth recorded with the latest frame, see `FrameTaken`; None if there is none."""
        return self._truth

    def presses(self) -> tuple[Press, ...]:
        """Return the presses before the next frame that were not returned yet; never raises."""
        self._read_ahead()
        drained = tuple(self._presses)
        self._presses.clear()
        return drained

    def instructions(self) -> tuple[Instruction, ...]:
        """Return the instructions before the next frame that were not returned yet; never raises.

        They follow the presses of the same interval, which were processed first.
        """
        self._read_ahead()
        drained = tuple(self._instructions)
        self._instructions.clear()
        return drained

    def frame(self) -> Frame:
        """Return the next frame.

        Raises:
            EndOfFramesError: there is none.
            RecordingError: the line or the picture cannot be read.
        """
        self._read_ahead()
        if self._failure is not None:
            raise self._failure
        if self._next is None:
            raise EndOfFramesError.said("{path}: the recording has ended", path=str(self._events_path))
        number, taken = self._next
        self._next, self._truth = None, taken.truth
        return self._load(number, taken)

    def end(self) -> None:
        """Stop returning frames."""
        self._next, self._failure, self._ended = None, None, True

    def _read_ahead(self) -> None:
        while self._next is None and self._failure is None and not self._ended:
            try:
                number, event = next(self._events)
            except StopIteration:
                self._ended = True
            except RecordingError as error:
                # Kept for `frame`, because buttons are asked first, and never raise.
                self._failure = error
            else:
                if isinstance(event, Press):
                    self._presses.append(event)
                elif isinstance(event, Instruction):
                    self._instructions.append(event)
                else:
                    self._next = (number, event)

    def _read(self) -> Iterator[tuple[int, RecordedEvent]]:
        latest_s = float("-inf")
        for number, line in self._lines():
            try:
                event = event_from_line(line)
                if event.t_s < latest_s:
                    first, then = f"{latest_s:g}", f"{event.t_s:g}"
                    raise ValueError(said("time runs backwards, from {first} s to {then} s", first=first, then=then))
            except ValueError as error:
                raise self._fault(number, reason(error)) from None
            latest_s = event.t_s
            yield number, event

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        try:
            with self._events_path.open("rb") as stream:
                # A longer line is not an event; the rest of it is rejected as a line of its own.
                for number, line in enumerate(iter(lambda: stream.readline(_LONGEST_LINE_BYTES), b""), start=1):
                    if line.strip():
                        yield number, line
        except OSError as error:
            raise RecordingError(unreadable(self._events_path, error)) from error

    def _load(self, number: int, taken: FrameTaken) -> Frame:
        path = self._frames_path / taken.name
        try:
            image = decoded(read_bytes(path))
        except PictureError:
            image = None
        except OSError as error:
            raise self._fault(
                number, said("the frame {path} cannot be read: {fault}", path=str(path), fault=system_says(error))
            ) from error
        if image is None:
            raise self._fault(number, said("the frame {path} is not a readable picture", path=str(path)))
        image.setflags(write=False)
        return Frame(image, taken.t_s, taken.name)

    def _fault(self, number: int, fault: str) -> RecordingError:
        return RecordingError.said("{place}: {fault}", place=f"{self._events_path}:{number}", fault=fault)


class RecordedCamera:
    """A camera that plays a recording's frames without delay."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape

    def capture(self) -> Frame:
        """Return the next frame of the recording; its image is read-only."""
        return self._tape.frame()

    def close(self) -> None:
        """End the frames; presses that were read already are still returned."""
        self._tape.end()


class RecordedControls:
    """Push-buttons that play a recording's presses: after each frame the presses before the next one."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self._closed = False

    def presses(self) -> Sequence[Press]:
        """Return the presses since the last call, up to the frame that comes next."""
        return () if self._closed else self._tape.presses()

    def close(self) -> None:
        """Stop returning presses."""
        self._closed = True
