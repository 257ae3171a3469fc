"""One board through one evening: patches are laid one after another, and each look has other light."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.board_scenes.camera import Eye, Film, Lens, random_eye, random_film
from bench.board_scenes.canvas import PX_PER_MM, Canvas, Stamp
from bench.board_scenes.light import Moments, Shining, random_mood
from bench.board_scenes.things import Box, empty_table, lay_object, patch_stamp
from companion.games.patchwork.cells import SIDE
from companion.games.patchwork.components import PATCHES, fits
from hardware.simulated.conditions import LEATHER, Conditions
from hardware.simulated.scene.placing import Layer, Lying, nudged
from hardware.simulated.scene.table import cells_of

if TYPE_CHECKING:
    from hardware.simulated.scene.lighting import Room

Image = NDArray[np.uint8]

_EMPTY_LOOKS: Final = 3
_SPOTS: Final = 10


class Look(NamedTuple):
    """The board at one moment.

    Attributes:
        view: the rectified picture, shape (VIEW_PX, VIEW_PX, 3), uint8, as of `vision.geometry`.
        covered: for each pixel of the view the visible patch, as its index in `BoardEvening.pieces` plus 1; 0 for board
            and table, 255 for a hand, a token, a patch beside the board, or any other object.
        quilt: the bit mask of the cells that patches cover, numbered as in the rules.
    """

    view: Image
    covered: Image
    quilt: int


@dataclass
class BoardEvening:
    """One camera's views of one board through an evening.

    Attributes:
        empty: views of the empty board at different moments.
        looks: the looks in order; most add a patch, some remove or shift one.
        pieces: the names of the patches, `LEATHER` among them, in the order in which they were laid.
        cell_px: the approximate size of a cell in the camera's picture.
    """

    empty: list[Image] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    cell_px: float = 0.0


def board_evening(rng: np.random.Generator, looks: int = 16) -> BoardEvening:
    """Return a random evening.

    Args:
        rng: the source of randomness.
        looks: the number of looks after those of the empty board.
    """
    return _Play(rng).play(looks)


class _Play:
    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._eye = random_eye(rng)
        here = (self._eye.board.x_mm, self._eye.board.y_mm)
        self._mood = random_mood(rng, self._eye)
        self._box = Box.random(rng)
        self._moments = Moments(self._mood, here, rng)
        self._set_up(self._eye)
        self._bare = empty_table(rng, self._box, self._rise)
        self._film = self._loaded()
        sloppy = float(rng.choice([0.5, 1.0, 2.2]))
        conditions = Conditions(
            offset_mm=0.7 * sloppy, rotation_deg=0.6 * sloppy, creep_mm=float(rng.uniform(-0.5, 4.0))
        )
        self._layer = Layer(conditions, rng)
        self._lying: list[tuple[int, Lying, Stamp]] = []
        self._evening = BoardEvening(cell_px=self._lens.cell_px)
        self._left = [str(name) for name in rng.permutation(sorted(PATCHES))]

    def play(self, looks: int) -> BoardEvening:
        """Return the whole evening."""
        for _ in range(_EMPTY_LOOKS):
            self._evening.empty.append(self._look(self._bare, self._moments.next(calm=self._rng.random() < 0.5)).view)
        for _ in range(looks):
            self._happen()
            self._evening.looks.append(self._look(self._table(), self._moments.next()))
        return self._evening

    def _set_up(self, eye: Eye) -> None:
        self._eye, self._lens = eye, Lens(eye)
        self._rise = (eye.rise[0] * PX_PER_MM, eye.rise[1] * PX_PER_MM)
        self._shining = Shining(eye, self._mood, self._rng)

    def _loaded(self) -> Film:
        """Return a camera's conversion with its exposure set by the empty board."""
        light = self._lens.picture(self._shining.light(self._bare, self._moments.next(calm=True)))
        tint = light.mean(axis=(0, 1))
        return random_film(self._rng, tint, float(light.mean()))

    def _happen(self) -> None:
        """Lay a patch in most cases; sometimes remove or shift one, or change nothing but the light."""
        chance = self._rng.random()
        if chance < 0.07 and self._lying:
            self._lying.pop(int(self._rng.integers(len(self._lying))))
        elif chance < 0.17 and self._lying:
            self._push(float(self._rng.uniform(0.5, 6)))
        elif chance < 0.27:
            return
        else:
            self._lay()
        if self._rng.random() < 0.01:
            self._set_up(self._eye.bumped(self._rng))

    def _lay(self) -> None:
        name = LEATHER if self._rng.random() < 0.08 else self._left.pop() if self._left else LEATHER
        quilt = self._quilt()
        free = _leather_spots(quilt) if name == LEATHER else fits(name, quilt)
        if not free:
            return
        cells = cells_of(self._near(free, quilt))
        piece = self._layer.lay(name, cells, [other for _, other, _ in self._lying])
        self._evening.pieces.append(name)
        stamp = patch_stamp(self._rng, self._box, name, piece.flipped)
        self._lying.append((len(self._evening.pieces), piece, stamp))
        if self._rng.random() < 0.25:
            self._push(float(self._rng.uniform(0.3, 1.5)))

    def _near(self, free: list[int] | tuple[int, ...], quilt: int) -> int:
        """Return a placement next to others, as players choose it, or sometimes any."""
        picks = [int(free[int(self._rng.integers(len(free)))]) for _ in range(_SPOTS)]
        if self._rng.random() < 0.3:
            return picks[0]
        return max(picks, key=lambda mask: (_around(mask) & quilt).bit_count())

    def _push(self, by_mm: float) -> None:
        index = int(self._rng.integers(len(self._lying)))
        number, piece, stamp = self._lying[index]
        others = [other for each, other, _ in self._lying if each != number]
        pose = nudged(piece, others, by_mm, self._rng)
        self._lying[index] = (number, Lying(piece.name, piece.flipped, pose, piece.layer), stamp)

    def _quilt(self) -> int:
        cells = {cell for _, piece, _ in self._lying for cell in piece.cells()}
        return sum(1 << (row * SIDE + column) for row, column in cells if 0 <= row < SIDE and 0 <= column < SIDE)

    def _table(self) -> Canvas:
        canvas = self._bare.copy()
        for number, piece, stamp in self._lying:
            canvas.lay(stamp, piece.pose, number)
        if self._rng.random() < 0.2:
            lay_object(canvas, self._rng)
        return canvas

    def _look(self, canvas: Canvas, room: Room) -> Look:
        rng, drift = self._rng, self._mood.drift
        light = self._lens.picture(self._shining.light(canvas, room))
        picture = self._film.developed(light, rng, float(np.exp(rng.normal(0, drift))))
        registration = self._lens.registration(rng)
        view, covered = self._lens.view(picture, registration), self._lens.truth(canvas.ids, registration)
        return Look(view, covered, self._quilt())


def _leather_spots(quilt: int) -> list[int]:
    return [1 << bit for bit in range(SIDE * SIDE) if not quilt >> bit & 1]


def _around(mask: int) -> int:
    """Return the cells of a mask and their neighbours."""
    left = sum(1 << (row * SIDE) for row in range(SIDE))
    right = left << (SIDE - 1)
    whole = (1 << SIDE * SIDE) - 1
    return (mask | mask << SIDE | mask >> SIDE | (mask & ~right) << 1 | (mask & ~left) >> 1) & whole
