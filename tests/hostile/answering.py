"""The program's answer to a damaged file, which must be one clear line and status 2, or its usual work."""

from __future__ import annotations

import io
import os
import time
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hypothesis import settings

from companion.__main__ import main

if TYPE_CHECKING:
    from collections.abc import Callable

TIMES: Final = int(os.environ.get("FUZZ_TIMES", "1"))
"""The factor by which more examples are tried than in the suite; `make fuzz` sets it."""
LONGEST_LINE: Final = 2500
"""Room for two names of a placeholder's greatest length and the message about them."""
PATIENCE_S: Final = 5.0


@dataclass(frozen=True)
class Answer:
    """An exit status, the output, and the processor time used."""

    status: int
    output: str
    errors: str
    took_s: float

    def must_be_plain(self) -> None:
        """Fail unless the answer is clear to a user."""
        assert self.status in (0, 2), self.errors[-400:]
        assert self.took_s < PATIENCE_S
        if self.status == 2:
            assert self.errors.startswith("companion: ")
            assert self.errors.endswith("\n")
            assert self.errors.count("\n") == 1
            assert len(self.errors) < LONGEST_LINE
            assert not any(ord(char) < 32 for char in self.errors[:-1])
            assert "Traceback" not in self.errors


def answer(*line: object) -> Answer:
    """Return the program's answer to a list of arguments."""
    output, errors = io.StringIO(), io.StringIO()
    began_s = time.process_time()
    with redirect_stdout(output), redirect_stderr(errors):
        status = main([str(each) for each in line])
    return Answer(status, output.getvalue(), errors.getvalue(), time.process_time() - began_s)


def tried(examples: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return settings for a number of examples: the same in every run of the suite, random ones in `make fuzz`."""
    return settings(max_examples=examples * TIMES, derandomize=TIMES == 1, deadline=None)
