"""A game's profile on disk: its boards' empty looks, without which an interrupted game cannot be resumed."""

import logging
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.locator import SEATS, QuiltLocator
from calibration.stored import Profile, ProfileError, load_profile, save_profile
from companion.calibrating.configured import calibration_of, empty_of, locator_by, seating_of
from companion.config import TableConfig
from companion.durable import write_whole
from companion.errors import CompanionError
from companion.languages import reason, said
from companion.patchwork.watching.watch import TableWatch
from companion.play.events import Event
from companion.play.game import CannotResumeError
from vision.geometry import GRID_CORNERS, Homography, through_corners

_LOG_PICTURES: Final = logging.getLogger(__name__)

PICTURES: Final = "pictures"
"""The folder of the pictures, beside the journal."""
SIDE_PX: Final = 900
MARGIN_CELLS: Final = 0.35
"""The width of the board's rim that is included in the picture."""
_QUALITY: Final = 90


def quilt_path(folder: Path, game_id: int, seat: int) -> Path:
    """Return the path of a quilt's picture, by the game's number in the journal and the seat."""
    return folder / f"{game_id}-{seat}.jpg"


class EndPictures:
    """A listener that takes the pictures once the game has ended, and again once no hand is over the quilts any more.

    Args:
        watch: the observer of the table.
        folder: the folder of the pictures.
        game_id: the game's number in the journal.
        soon: adds a tick to those of the next frames, until it returns True.
    """

    def __init__(
        self, watch: TableWatch, folder: Path, game_id: int, soon: Callable[[Callable[[float], bool]], None]
    ) -> None:
        self._watch, self._folder, self._game_id, self._soon = watch, folder, game_id, soon
        self._finished = False
        self._written: dict[int, bool] = {}

    def __call__(self, event: Event) -> None:
        """Begin with the event that ends the game; the last decision may be undone, and the game end again."""
        if event.state.finished and not self._finished:
            self._written.clear()
            self._soon(self.tick)
        self._finished = event.state.finished

    def tick(self, now_s: float) -> bool:
        """Process the next frame; return whether it was the last one needed."""
        del now_s
        if not self._finished:
            return True
        for seat in SEATS:
            settled = self._watch.settled(seat)
            if self._watch.frame is not None and seat in self._watch.places and not self._is_kept(seat, settled):
                self._keep(seat, straight_on(self._watch.frame.image, self._watch.places[seat]))
                self._written[seat] = settled
        return all(self._written.get(seat, False) for seat in SEATS)

    def _is_kept(self, seat: int, settled: bool) -> bool:
        return seat in self._written and (self._written[seat] or not settled)

    def _keep(self, seat: int, picture: NDArray[np.uint8]) -> None:
        path = quilt_path(self._folder, self._game_id, seat)
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, data.tobytes())
        except OSError:
            # A picture to look at is no reason to end the evening.
            _LOG_PICTURES.exception("%s cannot be written", path)


def straight_on(image: NDArray[np.uint8], place: Homography) -> NDArray[np.uint8]:
    """Return a board as if seen from above, with a little of its rim, shape (SIDE_PX, SIDE_PX, 3), uint8, BGR."""
    low, high = -MARGIN_CELLS, 9 + MARGIN_CELLS
    cells = np.array([[low, low], [high, low], [high, high], [low, high]])
    picture = np.array([[0.0, 0.0], [SIDE_PX, 0.0], [SIDE_PX, SIDE_PX], [0.0, SIDE_PX]])
    to_image = place.after(through_corners(picture, cells)).matrix
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(image, to_image, (SIDE_PX, SIDE_PX), flags=flags), np.uint8)


@dataclass(frozen=True, slots=True)
class KnownBoards:
    """The locator of the boards, and their empty looks when the table was calibrated, or None if not measured."""

    locator: QuiltLocator
    empty: Profile | None = None

    @classmethod
    def of(cls, table: TableConfig) -> "KnownBoards":
        """Return the boards by the table's configuration.

        Raises:
            CompanionError: the calibration that it names cannot be used.
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
    """A keeper that writes the profile before the first decision, which needs it; that of an earlier game is replaced.

    It is written once both empty boards are learnt, so that the decision need not wait for the disk.
    """

    def __init__(self, watch: TableWatch, path: Path) -> None:
        self._watch, self._path = watch, path
        self._written: Profile | None = None
        self._is_needed = False

    def tick(self, now_s: float) -> bool:
        """Process the next frame; return whether it was the last one needed."""
        del now_s
        if self._watch.learnt and not self._is_needed:
            # If it cannot be written, the first decision says so.
            with suppress(ProfileLostError):
                self._write(self._watch.profile())
        return self._watch.learnt or self._is_needed

    def keep(self) -> None:
        """Write the profile if both empty boards have been seen, and it is not written since; from now on it stays.

        Raises:
            ProfileLostError: the file cannot be written.
        """
        if self._is_needed or not self._watch.ready:
            return
        # The boards may have been cleared, seen anew or moved meanwhile.
        profile = self._watch.profile()
        if self._written is None or not _is_same(profile, self._written):
            self._write(profile)
        self._is_needed = True

    def _write(self, profile: Profile) -> None:
        try:
            save_profile(profile, self._path)
        except ProfileError as error:
            raise ProfileLostError(reason(error)) from error
        self._written = profile

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
        self._is_needed = True


def _is_same(profile: Profile, other: Profile) -> bool:
    """Return whether two profiles have the same empty boards, in the same places to within a pixel."""
    return all(
        profile.empty[seat] is other.empty[seat]
        and profile.places[seat].residuals(GRID_CORNERS, other.places[seat](GRID_CORNERS)).max() < 1.0
        for seat in profile.empty
    )


def other_profile(folder: Path, games: Iterable[int]) -> Profile | None:
    """Return the profile of the first of these games, most recent first, that has a valid one, or None if none has."""
    for game_id in games:
        # A game whose profile is gone is passed over: any of these games will do.
        with suppress(ProfileError):
            return load_profile(folder / f"{game_id}.npz")
    return None
