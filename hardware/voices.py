"""Voices: by programs of the machine, and several to choose from."""

import logging
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from threading import Condition, Lock, Thread
from typing import IO, Final, TypeAlias

from companion.languages import said, system_says
from hardware.diagnosis import Finding, note
from hardware.ports import Voice

_LOG: Final = logging.getLogger(__name__)

ABOUT_VOICE: Final = said("voice")
SILENT: Final = said("The companion does not speak; everything else works as usual.")
# Timeout of a sentence, after which the sound card hangs.
_LONGEST_S: Final = 60.0

Pipeline: TypeAlias = Callable[[str], Sequence[Sequence[str]]]
"""A function that returns the commands that speak a language: the first reads the text, each other the previous output.

It returns none for an unsupported language.
"""


def not_installed(program: str, install: str) -> Finding:
    """Return the finding that a voice's program is not installed; `install` is the command that installs it."""
    return note(ABOUT_VOICE, said("{program} is not installed.", program=program), SILENT, install)


class ProgramVoice:
    """A voice on the machine's sound card.

    During speech one more text may wait; a newer one replaces it, because late news are worthless.
    A text whose programs cannot be started is not spoken; this is logged once until they can be.
    """

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._turn = Condition()
        self._waiting: tuple[str, str] | None = None
        self._speaking: list[subprocess.Popen[bytes]] = []
        self._thread: Thread | None = None
        self._closed = self._is_failing = False

    def say(self, text: str, language: str) -> None:
        """Speak a text in the background."""
        with self._turn:
            if self._closed:
                return
            self._waiting = (text, language)
            if self._thread is None:
                # A daemon, because a program that does not end must not keep the companion from ending.
                self._thread = Thread(target=self._speak, name="voice", daemon=True)
                self._thread.start()
            self._turn.notify()

    def close(self) -> None:
        """Stop speaking at once; may be called more than once."""
        with self._turn:
            self._closed, self._waiting = True, None
            _kill(self._speaking)
            self._turn.notify()
            thread = self._thread
        if thread is not None:
            # Without the lock, which the thread needs in order to end.
            thread.join(_LONGEST_S)

    def _speak(self) -> None:
        while (waiting := self._next()) is not None:
            text, language = waiting
            try:
                self._utter(text, language)
            # The next text is tried anew: memory and processes may be short for a moment only.
            except OSError as error:
                self._warn(error)

    def _warn(self, error: OSError) -> None:
        if not self._is_failing:
            self._is_failing = True
            says = said(
                "{program} cannot be started, so nothing is spoken: {fault}",
                program=str(error.filename),
                fault=system_says(error),
            )
            _LOG.warning("%s", says)

    def _next(self) -> tuple[str, str] | None:
        """Return the next text to speak, or None at the end."""
        with self._turn:
            self._turn.wait_for(lambda: self._closed or self._waiting is not None)
            waiting, self._waiting = self._waiting, None
            return None if self._closed else waiting

    def _utter(self, text: str, language: str) -> None:
        """Speak a text to its end.

        Raises:
            OSError: one of the programs cannot be run; its `filename` is that program.
        """
        commands = self._pipeline(language)
        with self._turn:
            if self._closed or not commands:
                return
            # Started under the lock, so that `close` either comes first or finds them to kill.
            self._speaking = started = _started(commands)
            self._is_failing = False
        try:
            # Lone surrogates, as in a file's name, must not stop the voice.
            started[0].communicate(text.encode("utf-8", "replace"), timeout=_LONGEST_S)
            for program in started[1:]:
                program.wait(_LONGEST_S)
        except subprocess.TimeoutExpired:
            _kill(started)
        for program in started:
            program.wait()


def _started(commands: Sequence[Sequence[str]]) -> list[subprocess.Popen[bytes]]:
    """Start a pipeline of programs; the first reads from a pipe.

    Raises:
        OSError: one of them cannot be run; none is left running.
    """
    started: list[subprocess.Popen[bytes]] = []
    source: int | IO[bytes] | None = subprocess.PIPE
    for place, command in enumerate(commands):
        is_last = place == len(commands) - 1
        try:
            program = subprocess.Popen(  # noqa: S603  # we choose the programs, and the text is no option of theirs
                [*command],
                stdin=source,
                stdout=subprocess.DEVNULL if is_last else subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            _kill(started)
            for program in started:
                program.communicate()
            # Without a name if, for example, no pipe could be opened.
            error.filename = error.filename or command[0]
            raise
        finally:
            if not isinstance(source, int) and source is not None:
                # Only the reading program may hold it: otherwise the writer is never told that its reader has ended.
                source.close()
        started.append(program)
        source = program.stdout
    return started


def _kill(programs: Sequence[subprocess.Popen[bytes]]) -> None:
    for program in programs:
        with suppress(ProcessLookupError):
            program.kill()


class SwitchedVoice:
    """A voice that can be replaced by another one, or silenced, from any thread.

    Args:
        openers: by name, the function that opens each voice when it is chosen.
        chosen: name of the initial voice; None for silence.

    Raises:
        KeyError: no voice has that name.
    """

    def __init__(self, openers: Mapping[str, Callable[[], Voice]], chosen: str | None = None) -> None:
        self._openers = dict(openers)
        self._lock = Lock()
        self._voice: Voice | None = None
        self._chosen: str | None = None
        self._closed = False
        self.choose(chosen)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the voices."""
        return tuple(self._openers)

    @property
    def chosen(self) -> str | None:
        """The name of the current voice, or None for silence."""
        return self._chosen

    def choose(self, name: str | None) -> None:
        """Change to another voice, or to silence (None); the previous one stops at once.

        Raises:
            KeyError: no voice has that name.
        """
        opened = None if name is None else self._openers[name]()
        with self._lock:
            # The page's thread chooses while the loop's speaks.
            before, self._voice, self._chosen = self._voice, opened, name
            # The page may be answered after the end of the table: nothing would close that voice.
            late = opened if self._closed else None
        # Outside of the lock: closing waits for programs to end, and the loop's thread must not.
        for voice in (before, late):
            if voice is not None:
                voice.close()

    def say(self, text: str, language: str) -> None:
        """Speak a text with the current voice, in the background."""
        with self._lock:
            if self._voice is not None:
                self._voice.say(text, language)

    def close(self) -> None:
        """Stop speaking for good; may be called more than once."""
        with self._lock:
            self._closed, voice = True, self._voice
        if voice is not None:
            voice.close()
