"""Keeps a game's profile on disk: how the empty boards look, without which a game that was cut off cannot go on."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from calibration.profile import ProfileError, load_profile, save_profile
from companion.errors import CompanionError
from companion.languages import reason, said

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from calibration.profile import Profile
    from companion.reader.watch import TableWatch

_LOG: Final = logging.getLogger(__name__)


class ProfileLostError(CompanionError):
    """A game's profile cannot be kept or read."""


class ProfileGoneError(ProfileLostError):
    """Nobody knows any more how a game's empty boards looked: it cannot be gone on with."""


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
            raise ProfileLostError(reason(error)) from error
        self._kept = True

    def restore(self, quilts: Mapping[int, int], spare: Profile | None = None) -> None:
        """Let the watch go on with boards that were seen empty earlier.

        Args:
            quilts: by seat, the covered cells now, as the rules' bit mask.
            spare: how they looked when the table was calibrated, for a profile that is lost; None where nobody knows.

        Raises:
            ProfileGoneError: the profile is missing or damaged, and there is no spare one.
        """
        try:
            profile = load_profile(self._path)
        except ProfileError as error:
            if spare is None:
                says = said(
                    "without how its empty boards looked the game cannot go on; begin anew with {option}",
                    option="--new",
                )
                raise ProfileGoneError(said("{fault}; {do}", fault=reason(error), do=says)) from error
            _LOG.warning("%s; the calibration's empty boards take its place", error)
            profile = spare
        self._watch.restore(profile, quilts)
        self._kept = True
