"""Reading of photographs in a process of its own: it yields to a running game, and its memory is bounded.

    python -m companion.web.photographing

The process reads a `Job` from its standard input, and the photograph from the descriptor that the job names. It writes
messages to its standard output: (SHOWN, picture and size), (STAGE, sentence), then (READ, reading) or (FAULT, sentence
and whether people may show where the boards are).
"""

import contextlib
import os
import pickle
import resource
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from threading import Timer
from typing import IO, Any, Final

import cv2

from companion.config import Config
from companion.errors import CompanionError
from companion.languages import any_of, reason, said
from companion.pictures import LONGEST_PX, MOST_PX, TooLargeError, TooSmallError, decoded, jpeg, most_read_px
from companion.play.page import Picture
from companion.play.photographs import NotFoundError, Quads
from companion.registry import photographs

SHOWN, STAGE, READ, FAULT = "shown", "stage", "read", "fault"
SHOWN_PX: Final = 1600
"""The longer side of the picture that people see, in pixels."""
PATIENCE_S: Final = 600.0
"""The time after which a reading is given up; a Raspberry Pi Zero takes some minutes."""
# The least width and height of a readable picture: two pixels for each cell of a quilt.
_LEAST_PX: Final = 18
_QUALITY: Final = 85
# Of everything that is not a file: the readers take 440 MB of it for the largest picture.
_MOST_BYTES: Final = 1 << 30
NICENESS: Final = 15
"""How much nicer its process is than this one, so that it yields to all else."""
_TOO_LITTLE: Final = said("The picture could not be read: this machine has too little memory or time for it.")


@dataclass(frozen=True, slots=True)
class Job:
    """One photograph to read.

    Attributes:
        kind: the name of the kind.
        photograph: the number of the descriptor from which the picture is read.
        corners: the corners that people showed, or None.
        config: the table's configuration.
    """

    kind: str
    photograph: int
    corners: Quads | None
    config: Config


class Reading:
    """One process that reads one photograph.

    Args:
        kind, corners, config: as in `Job`.
        photograph: the open file.

    Raises:
        CompanionError: the process cannot be started.
    """

    def __init__(self, kind: str, photograph: IO[bytes], corners: Quads | None, config: Config) -> None:
        descriptor = photograph.fileno()
        os.lseek(descriptor, 0, os.SEEK_SET)
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "companion.web.photographing"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                pass_fds=[descriptor],
            )
        except OSError as error:  # Without memory a process cannot even be forked.
            raise CompanionError(_TOO_LITTLE) from error
        os.setpriority(os.PRIO_PROCESS, self._process.pid, os.nice(0) + NICENESS)
        self._send(Job(kind, descriptor, corners, config))

    def _send(self, job: Job) -> None:
        with contextlib.suppress(BrokenPipeError), self._process.stdin as stream:  # type: ignore[union-attr]  # a pipe
            pickle.dump(job, stream)

    def follow(self, told: Callable[[str, Any], None]) -> Any:
        """Return the result, and pass on what comes before it.

        Raises:
            CompanionError: the picture cannot be read, or the process ended without a result.
        """
        limit = Timer(PATIENCE_S, self.stop)
        limit.daemon = True
        limit.start()
        try:
            return self._followed(told)
        finally:
            limit.cancel()
            self.stop()

    def _followed(self, told: Callable[[str, Any], None]) -> Any:
        stream = self._process.stdout
        assert stream is not None  # noqa: S101  # It is a pipe.
        with stream:
            while True:
                try:
                    # Of our own process, which takes nothing from anybody but a picture.
                    what, value = pickle.load(stream)  # noqa: S301
                except (EOFError, pickle.UnpicklingError):
                    raise CompanionError(_TOO_LITTLE) from None
                if what == FAULT:
                    says, can_be_shown = value
                    raise NotFoundError(says) if can_be_shown else CompanionError(says)
                if what == READ:
                    return value
                told(what, value)

    def stop(self) -> None:
        """End the process; may be called more than once, and from any thread."""
        self._process.kill()
        self._process.wait()


def main() -> None:
    """Read the job's photograph."""
    _step_back()
    job: Job = pickle.load(sys.stdin.buffer)  # noqa: S301  # As above.
    # Its own copy of standard output, as libraries may write to the other.
    with os.fdopen(os.dup(1), "wb") as out:
        os.dup2(2, 1)

        def send(what: str, value: object) -> None:
            pickle.dump((what, value), out)
            out.flush()

        try:
            send(READ, _read(job, send))
        except CompanionError as error:
            send(FAULT, (reason(error), isinstance(error, NotFoundError)))


def _step_back() -> None:
    """Be the first to end if memory is short, and leave a core to all else."""
    resource.setrlimit(resource.RLIMIT_DATA, (_MOST_BYTES, _MOST_BYTES))
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:  # noqa: PTH123
        file.write("1000")
    cv2.setNumThreads(max(1, (os.cpu_count() or 2) - 1))


def _read(job: Job, send: Callable[[str, object], None]) -> Any:
    send(STAGE, said("Opening the picture"))
    with os.fdopen(job.photograph, "rb") as file:
        picture = _opened(file.read())
    send(SHOWN, (jpeg(picture, _QUALITY, SHOWN_PX), (picture.shape[1], picture.shape[0])))
    return photographs()[job.kind].read(picture, job.corners, job.config, lambda says: send(STAGE, says))


def _opened(content: bytes) -> Picture:
    try:
        picture = decoded(content, _LEAST_PX, most_read_px())
    except TooSmallError as error:
        raise CompanionError.said("The picture has only {width}x{height} pixels: send the original.", width=error.width,
                 height=error.height) from error  # fmt: skip
    except TooLargeError as error:
        raise CompanionError.said(
            "The picture has more than {count} megapixels, or one side is longer than {longest}: set the camera to "
            "a smaller size.",
            count=MOST_PX // 1_000_000,
            longest=LONGEST_PX,
        ) from error
    if picture is None:
        kinds = any_of(["JPEG", "PNG"])
        raise CompanionError.said("This is not a picture that can be read: send it as {kinds}.", kinds=kinds)
    return picture


if __name__ == "__main__":
    main()
