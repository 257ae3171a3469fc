"""A game's profile on disk: its boards' empty looks, without which an interrupted game cannot be resumed."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from calibration.locator import QuiltLocator
from calibration.stored import Profile, ProfileError, load_profile, save_profile
from companion.calibrating.configured import calibration_of, empty_of, locator_by, seating_of
from companion.config import TableConfig
from companion.errors import CompanionError
from companion.languages import reason, said
from companion.patchwork.watching.watch import TableWatch
from companion.play.game import CannotResumeError


@dataclass(frozen=True, slots=True)
class KnownBoards:
    """The locator of the boards, and their empty looks when the table was calibrated, or None if not measured."""

    locator: QuiltLocator
    empty: Profile | None = None

    @classmethod
    def of(cls, table: TableConfig) -> KnownBoards:
        """Return the boards by the table's configuration.

        Raises:
            TableCalibrationError: the calibration that it names cannot be used.
        """
        return cls(locator_by(seating_of(table), calibration_of(table)), empty_of(table))


_LOG: Final = logging.getLogger(__name__)


class ProfileLostError(CompanionError):
    """Raised if a game's profile cannot be written or read."""


class ProfileGoneError(CannotResumeError, ProfileLostError):
    """Raised if a game's profile is lost, so that the game cannot be continued."""

    in_short = said(
        "It cannot be resumed yet: the companion no longer knows how its empty boards looked. Take the patches "
        "off, calibrate the table, and put the patches back as the page shows them."
    )
    remedy = said(
        "To resume it anyway, take the patches off, calibrate the table on the page, put the patches back as the "
        "page shows them, and choose the game in the list."
    )


class ProfileKeeper:
    """A keeper that writes the profile before the first decision that needs it; that of an earlier game is replaced."""

    def __init__(self, watch: TableWatch, path: Path) -> None:
        self._watch, self._path = watch, path
        self._is_written = False

    def keep(self) -> None:
        """Write the profile if both empty boards have been seen and it is not written yet.

        Raises:
            ProfileLostError: the file cannot be written.
        """
        if self._is_written or not self._watch.ready:
            return
        try:
            save_profile(self._watch.profile(), self._path)
        except ProfileError as error:
            raise ProfileLostError(reason(error)) from error
        self._is_written = True

    def restore(self, quilts: Mapping[int, int], spare: Profile | None = None) -> None:
        """Give the watch the looks of boards that were seen empty earlier.

        Args:
            quilts: by seat, the covered cells now, as the rules' bit mask.
            spare: the boards' looks when the table was calibrated, or in another game at it, in place of a lost
                profile; None if there are none.

        Raises:
            ProfileGoneError: the profile is missing or damaged, and there is no spare one.
        """
        try:
            profile = load_profile(self._path)
        except ProfileError as error:
            if spare is None:
                says = said(
                    "to resume, take the patches off, look at the empty boards with {command}, and put the patches "
                    "back as the page shows them; or start again with {option}",
                    command="`companion calibrate`",
                    option="--new",
                )
                raise ProfileGoneError(said("{fault}; {do}", fault=reason(error), do=says)) from error
            _LOG.warning("%s; other empty boards take its place", error)
            profile = spare
        self._watch.restore(profile, quilts)
        self._is_written = True


def other_profile(folder: Path, games: Iterable[int]) -> Profile | None:
    """Return the profile of the first of these games, most recent first, that has a valid one, or None if none has."""
    for game_id in games:
        # A game whose profile is gone is passed over: any of these games will do.
        with suppress(ProfileError):
            return load_profile(folder / f"{game_id}.npz")
    return None
