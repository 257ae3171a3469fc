"""The camera's pictures for the page: the newest frame, and each quilt as at the latest question or complaint."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from companion.games.patchwork import mask_of
from companion.languages import said
from companion.web.drawing import Exposure, draw_camera, draw_crop, jpeg

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from companion.reader.watch import TableWatch
    from companion.web.chronicle import Account
    from hardware.ports import Frame


_KEPT = 8
"""How many encoded pictures are kept; all but the newest few are past."""


class NoPictureError(Exception):
    """There is no such picture (yet); the message is a sentence."""


class Gallery:
    """Keeps two exposures: the newest, and that of the latest question or complaint.

    `look_on` belongs to the thread of the turn loop; pictures may be asked for from any.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._newest: Exposure | None = None
        self._questioned: Exposure | None = None
        self._questioned_at = 0
        self._drawing = Lock()
        self._drawn: dict[tuple[object, ...], bytes] = {}
        self._crop: tuple[str, Callable[[], NDArray[np.uint8]]] | None = None

    def look_on(self, watch: TableWatch, account: Account) -> None:
        """Take the latest frame, and keep it if it has just given rise to a question or a complaint."""
        frame = watch.frame
        if frame is None:
            return
        state = account.state
        quilts = {} if state is None else {seat: state.seat(seat).quilt for seat in (1, 2)}
        self.keep(Exposure(frame, watch.places, quilts, _marked(account)), account.looked_at)

    def keep(self, exposure: Exposure, looked_at: int) -> None:
        """Keep the newest exposure; also for the questions, where `looked_at` tells that one has just come of it."""
        with self._lock:
            self._newest = exposure
            if looked_at != self._questioned_at:
                self._questioned_at, self._questioned = looked_at, exposure

    @property
    def newest_frame(self) -> Frame | None:
        """The newest frame; None before the first."""
        with self._lock:
            return None if self._newest is None else self._newest.frame

    def show(self, frame: Frame) -> None:
        """Take a frame of a table on which no game is."""
        with self._lock:
            self._newest = Exposure(frame, {}, {}, {})

    def keep_crop(self, name: str, draw: Callable[[], NDArray[np.uint8]]) -> None:
        """Take what shows the part of a sheet that is in question; `name` tells it from others."""
        with self._lock:
            self._crop = name, draw

    def camera_jpeg(self, *, reading: bool) -> bytes:
        """The newest frame, with the boards and what is covered drawn in where `reading` is wanted.

        Raises:
            NoPictureError: no frame has come yet.
        """
        with self._lock:
            exposure = self._newest
        if exposure is None:
            raise NoPictureError(said("There is no picture: none has come yet."))
        return self._kept(("camera", exposure.frame.name, reading), lambda: draw_camera(exposure, reading=reading))

    def crop_jpeg(self, seat: int) -> bytes:
        """A seat's board seen straight on, the cells in question marked.

        Raises:
            NoPictureError: no frame has come yet, or the board was not in view.
        """
        with self._lock:
            crop = self._crop
            exposure = self._questioned or self._newest
        if crop is not None:
            return self._kept(("sheet", crop[0]), crop[1])
        if exposure is None or seat not in exposure.places:
            raise NoPictureError(said("There is no picture: the board of seat {seat} has not been in view.", seat=seat))
        return self._kept(("crop", exposure.frame.name, seat), lambda: draw_crop(exposure, seat))

    def _kept(self, key: tuple[object, ...], draw: Callable[[], NDArray[np.uint8]]) -> bytes:
        """Draw and encode once, however many ask."""
        with self._drawing:
            if key not in self._drawn:
                if len(self._drawn) >= _KEPT:
                    self._drawn.clear()
                self._drawn[key] = jpeg(draw())
            return self._drawn[key]


def _marked(account: Account) -> Mapping[int, int]:
    """By seat, the cells that the open question or the complaint is about."""
    if account.asked is not None:
        return {account.asked.question.seat: mask_of(account.asked.question.cells)}
    return {} if account.complaint is None else {account.complaint.quilt: mask_of(account.complaint.cells)}
