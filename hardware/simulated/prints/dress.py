"""The printing of one evening's boards and patches, if it is not our own."""

from functools import lru_cache
from typing import Final

import numpy as np

from companion.games.patchwork import PATCHES
from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing.fabrics import PX_PER_MM
from hardware.simulated.drawing.images import Image, floats_of
from hardware.simulated.drawing.items import BOARD_MM
from hardware.simulated.drawing.sprites import CELL_MM, Sprite, patch_sprite, shape_of
from hardware.simulated.dress import Dress
from hardware.simulated.prints.boards import BOARD_PX_PER_MM, GROUNDS
from hardware.simulated.prints.cloths import Colour, camouflage, cloth, palette
from hardware.simulated.prints.grounds import Ground, board_picture, random_ground
from hardware.simulated.prints.home import home_board, home_patch
from hardware.simulated.prints.patches import Printing, printed_patch

_SIDE_BGR: Final = (96, 112, 124)
_PRINTINGS: Final = {
    "own": Printing(tags=False, button_mm=10.5, button_bgr=(196.0, 128.0, 42.0), stitched=True),
    "labelled": Printing(tags=False, button_mm=11.0, button_bgr=(206.0, 150.0, 60.0), stitched=True),
    "tagged": Printing(),
}


def dress_for(conditions: Conditions, seed: int, grounds: tuple[int, int]) -> Dress | None:
    """Return the evening's prints; None if all are ours."""
    if conditions.printing == "own" and conditions.camouflage <= 0:
        return None
    return Dress(conditions.printing, seed, conditions.camouflage, grounds)


@lru_cache(maxsize=160)  # two evenings' patches on both faces
def dressed_patch(name: str, flipped: bool, dress: Dress) -> Sprite:
    """Return a patch in this printing."""
    if dress.printing == "home":
        return Sprite(*home_patch(name, flipped, PX_PER_MM), PX_PER_MM, BOARD_MM, _SIDE_BGR)
    rng = _chance(name, dress)
    colours = _colours(rng, dress)
    if colours is None:
        return patch_sprite(name, flipped)
    printing = _PRINTINGS[dress.printing]
    picture, mask = printed_patch(name, shape_of(name, flipped), printing, PX_PER_MM, rng, colours)
    return Sprite(picture, mask, PX_PER_MM, BOARD_MM, _SIDE_BGR)


def patch_cloth(name: str, dress: Dress, px_per_mm: float) -> Image | None:
    """Return the cloth of a patch in this printing, of the size of the unflipped patch.

    Shape (height, width, 3), uint8, BGR; None for our own print, and for the set for printing at home.
    """
    rng = _chance(name, dress)
    colours = None if dress.printing == "home" else _colours(rng, dress)
    if colours is None:
        return None
    rows, columns = (round((max(axis) + 1) * CELL_MM * px_per_mm) for axis in zip(*shape_of(name, False), strict=True))
    return cloth(rng, (rows, columns), px_per_mm, colours)


def _chance(name: str, dress: Dress) -> np.random.Generator:
    # One for each patch, so that its print does not depend on the order of drawing.
    return np.random.default_rng([dress.seed, list(PATCHES).index(name)])


def _colours(rng: np.random.Generator, dress: Dress) -> tuple[Colour, Colour, Colour] | None:
    """Return the colours of a patch's cloth; None if it is our own."""
    hidden = rng.random() < dress.camouflage
    if dress.printing == "own" and not hidden:
        return None
    like = _base(dress, 1 + int(rng.integers(2)))
    return camouflage(rng, like) if hidden else palette(rng)


@lru_cache(maxsize=8)
def dressed_board(seat: int, size_mm: float, grid_mm: float, dress: Dress) -> Sprite:
    """Return an empty quilt board in this printing."""
    if dress.printing == "home":
        picture = home_board(seat, size_mm, grid_mm, BOARD_PX_PER_MM)
    else:
        rng = np.random.default_rng([dress.seed, 100 + seat])
        picture = board_picture(_ground(dress, seat), size_mm, grid_mm, BOARD_PX_PER_MM, rng)
    mask = np.zeros(picture.shape[:2], np.uint8)
    mask[1:-1, 1:-1] = 255
    return Sprite(picture, mask, BOARD_PX_PER_MM, BOARD_MM, _SIDE_BGR)


def _ground(dress: Dress, seat: int) -> Ground:
    return random_ground(np.random.default_rng([dress.seed, 200 + seat]))


def _base(dress: Dress, seat: int) -> Colour:
    """Return the colour of a seat's board."""
    if dress.printing != "own":
        return _ground(dress, seat).base
    cloth, second, _, _ = GROUNDS[dress.grounds[seat - 1]]
    return floats_of((np.array(cloth) + np.array(second)) / 2)
