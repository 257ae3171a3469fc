"""The table's key, which permits commands; it is in the terminal's link, and given for a short-lived join code."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from hmac import compare_digest
from typing import Final

CODE_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""The alphabet of join codes, without letters and digits that are easily confused on a screen."""
CODE_LENGTH: Final = 6
SHOWN_S: Final = 240.0
"""The time for which a join code is shown."""
GRACE_S: Final = 60.0
"""The time for which a join code stays valid after it was shown, for users who are typing it."""


@dataclass(frozen=True, slots=True)
class JoinCode:
    """A join code for the table.

    Attributes:
        code: six characters.
        shown_until_s: when the next one replaces it, on the clock of its `Keys`.
    """

    code: str
    shown_until_s: float


class Keys:
    """The table's key of this evening, and its join codes. Thread-safe.

    Args:
        clock: monotonic, in seconds.
        choose: a cryptographically secure random choice of a character.
        key: the saved key, or None for a new one.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        choose: Callable[[str], str] = secrets.choice,
        key: str | None = None,
    ) -> None:
        self.key: Final = key or secrets.token_urlsafe(15)
        self._clock, self._choose = clock, choose
        self._codes: tuple[JoinCode, ...] = ()

    def opens(self, key: str | None) -> bool:
        """Return whether `key` is the table's key."""
        # In constant time; as bytes, because texts with other than ASCII characters raise an error.
        return key is not None and compare_digest(key.encode(), self.key.encode())

    def code(self) -> JoinCode:
        """Return the join code to show now; a new one is drawn when the last has expired."""
        now_s, codes = self._clock(), self._codes
        if not codes or codes[-1].shown_until_s <= now_s:
            drawn = "".join(self._choose(CODE_LETTERS) for _ in range(CODE_LENGTH))
            # With the last one, which users may still be typing.
            codes = (*codes[-1:], JoinCode(drawn, now_s + SHOWN_S))
            self._codes = codes
        return codes[-1]

    def expires_in_s(self, code: JoinCode) -> float:
        """Return the time for which a code is still shown, in seconds; at least 0."""
        return max(0.0, code.shown_until_s - self._clock())

    def accepts(self, code: str) -> bool:
        """Return whether `code` is a valid join code; case and blanks are ignored."""
        typed = "".join(code.upper().split()).encode()
        good = [each for each in self._codes if self._clock() < each.shown_until_s + GRACE_S]
        return any(compare_digest(typed, each.code.encode()) for each in good)
