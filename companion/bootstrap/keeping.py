"""Keeps a game's profile on disk: how the empty boards look, without which a game that was cut off cannot go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calibration.profile import ProfileError, load_profile, save_profile
from companion.errors import CompanionError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from companion.reader.watch import TableWatch


class ProfileLostError(CompanionError):
    """A game's profile cannot be kept or read."""


class ProfileKeeper:
    """Writes the profile down before the first decision that needs it is written.

    Args:
        watch: sees the boards.
        path: where the profile is kept; what an earlier game left there is replaced.
    """

    def __init__(self, watch: TableWatch, path: Path) -> None:
        self._watch, self._path = watch, path
        self._kept = False

    def keep(self) -> None:
        """Write the profile, once the empty boards have been seen and unless it is kept already.

        Raises:
            ProfileLostError: it cannot be written.
        """
        if self._kept or not self._watch.ready:
            return
        try:
            save_profile(self._watch.profile(), self._path)
        except ProfileError as error:
            raise ProfileLostError(str(error)) from error
        self._kept = True

    def restore(self, quilts: Mapping[int, int]) -> None:
        """Let the watch go on with boards that were seen empty earlier.

        Args:
            quilts: by seat, the covered cells now, as the rules' bit mask.

        Raises:
            ProfileLostError: the profile is missing or damaged.
        """
        try:
            profile = load_profile(self._path)
        except ProfileError as error:
            says = "without how its empty boards looked the game cannot go on; begin anew with --new"
            raise ProfileLostError(f"{error}; {says}") from error
        self._watch.restore(profile, quilts)
        self._kept = True
