"""Faults that push-buttons report about themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.play.devices.notices import Notices
    from hardware.ports import Controls


class ButtonComplaints:
    """A tick that announces faults that push-buttons report about themselves, such as one that is stuck."""

    def __init__(self, controls: Controls, notices: Notices) -> None:
        # Not part of the port: a page, a recording and a table without buttons have no faults to report.
        self._take: Callable[[], Sequence[str]] = getattr(controls, "notices", tuple)
        self._notices = notices

    def tick(self, now_s: float) -> None:
        """Pass on the new reports."""
        del now_s
        for sentence in self._take():
            self._notices.say(sentence)
