"""Complaints that push-buttons have about themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.play.devices.notices import Notices
    from hardware.ports import Controls


class ButtonComplaints:
    """Announce what the push-buttons report of themselves, such as one that is stuck."""

    def __init__(self, controls: Controls, notices: Notices) -> None:
        self._take: Callable[[], Sequence[str]] = getattr(controls, "notices", tuple)
        self._notices = notices

    def tick(self, now_s: float) -> None:
        """Pass on what there is."""
        del now_s
        for sentence in self._take():
            self._notices.say(sentence)
