"""Which errors are the user's to mend. They are the games' and the hardware's own, so that most lines do without."""

from __future__ import annotations

from typing import Final

from companion.errors import CompanionError
from companion.games.kvilt import KviltError
from companion.games.patchwork import PatchworkError
from companion.record import RecordError
from hardware.ports import HardwareError

USER_ERRORS: Final = (CompanionError, PatchworkError, KviltError, RecordError, HardwareError)
"""Roots of the errors whose message tells the user what to do; all others are faults of the program."""
