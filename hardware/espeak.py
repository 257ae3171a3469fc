"""A voice: the program espeak-ng, one sentence after the other, which never blocks its caller."""

from __future__ import annotations

import logging
import subprocess
from threading import Condition, Thread
from typing import TYPE_CHECKING, Final

from companion.languages import said, system_says

if TYPE_CHECKING:
    from collections.abc import Sequence

_LOG: Final = logging.getLogger(__name__)

PROGRAM: Final = "espeak-ng"
_LONGEST_S: Final = 60.0
"""A sentence that is not over by then never will be: the sound card hangs."""


class EspeakVoice:
    """A voice on the machine's sound card.

    While something is spoken one more thing may wait; what comes then takes its place, for news that are late are none.
    A machine without the program is silent, which the log says once.

    Args:
        program: how it is called.
    """

    def __init__(self, program: Sequence[str] = (PROGRAM,)) -> None:
        self._program = tuple(program)
        self._turn = Condition()
        self._waiting: tuple[str, str] | None = None
        self._speaking: subprocess.Popen[bytes] | None = None
        self._thread: Thread | None = None
        self._closed = self._is_missing = False

    def say(self, text: str, language: str) -> None:
        """Have a text spoken, soon; returns at once.

        Args:
            text: what.
            language: of the text, such as "en".
        """
        with self._turn:
            if self._closed or self._is_missing:
                return
            self._waiting = (text, language)
            if self._thread is None:
                self._thread = Thread(target=self._speak, name="voice", daemon=True)
                self._thread.start()
            self._turn.notify()

    def close(self) -> None:
        """Fall silent at once; may be called more than once."""
        with self._turn:
            self._closed, self._waiting = True, None
            if self._speaking is not None:
                self._speaking.kill()
            self._turn.notify()
            thread = self._thread
        if thread is not None:
            thread.join(_LONGEST_S)

    def _speak(self) -> None:
        while (waiting := self._next()) is not None:
            text, language = waiting
            try:
                self._utter(text, language)
            except OSError as error:
                with self._turn:
                    self._is_missing = True
                says = said(
                    "{program} cannot be run, so nothing is spoken: {fault}",
                    program=self._program[0],
                    fault=system_says(error),
                )
                _LOG.warning("%s", says)
                return

    def _next(self) -> tuple[str, str] | None:
        """Return the next text to speak, or None at the end."""
        with self._turn:
            self._turn.wait_for(lambda: self._closed or self._waiting is not None)
            waiting, self._waiting = self._waiting, None
            return None if self._closed else waiting

    def _utter(self, text: str, language: str) -> None:
        """Speak a text to its end.

        Raises:
            OSError: the program cannot be run.
        """
        with self._turn:
            if self._closed:
                return
            self._speaking = subprocess.Popen(  # noqa: S603  # the program is ours to choose, and the text no option of it
                [*self._program, "-v", language, "--stdin"],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        try:
            self._speaking.communicate(text.encode("utf-8"), timeout=_LONGEST_S)
        except subprocess.TimeoutExpired:
            self._speaking.kill()
            self._speaking.wait()
