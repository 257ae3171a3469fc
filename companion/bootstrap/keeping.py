"""Keeps a table's profile on disk, from before the first look on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calibration.profile import save_profile
from companion.events import Event, LookStarted

if TYPE_CHECKING:
    from pathlib import Path

    from companion.reader.watch import TableWatch


class ProfileKeeper:
    """A listener that writes the profile down before anything read with its help is announced.

    Args:
        watch: has seen the empty boards.
        path: where the profile is kept.
    """

    def __init__(self, watch: TableWatch, path: Path) -> None:
        self._watch = watch
        self.path = path

    def __call__(self, event: Event) -> None:
        """Write the profile at the first look."""
        if isinstance(event, LookStarted) and self._watch.ready and not self.path.exists():
            save_profile(self._watch.profile(), self.path)
