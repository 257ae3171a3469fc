"""The sprites of items."""

from functools import cache

from calibration.mat import Mat, load_mat
from companion.games.patchwork import Edition
from hardware.simulated.drawing import sprites
from hardware.simulated.drawing.hands import hand_sprite
from hardware.simulated.drawing.items import Item
from hardware.simulated.drawing.sprites import Sprite
from hardware.simulated.dress import Dress
from hardware.simulated.prints import boards
from hardware.simulated.prints.dress import dressed_board, dressed_patch
from hardware.simulated.prints.objects import clutter_sprite

TIME_BOARD_BORDERS = ((60, 66, 150), (70, 150, 170), (150, 110, 70))


@cache
def the_mat() -> Mat:
    """Return the mat's geometry, read once."""
    return load_mat()


def sprite_of(item: Item) -> Sprite:
    """Return the sprite of an item; sprites are cached.

    Raises:
        ValueError: there is no such kind of item.
    """
    if item.dress is not None:
        return _dressed(item, item.dress)
    match item.kind:
        case "patch":
            return sprites.patch_sprite(item.name, item.flipped)
        case "leather":
            return sprites.leather_sprite()
        case "disc":
            return sprites.disc_sprite(item.name)
        case "pawn":
            return sprites.pawn_sprite()
        case _:
            return _large_sprite(item.kind, item.name)


def _dressed(item: Item, dress: Dress) -> Sprite:
    """Return a board or a patch of another printing."""
    if item.kind == "board":
        return dressed_board(int(item.name), the_mat().board_size_mm, the_mat().grid_size_mm, dress)
    return dressed_patch(item.name, item.flipped, dress)


@cache
def _large_sprite(kind: str, name: str) -> Sprite:
    match kind:
        case "tile":
            return sprites.tile_sprite(int(name))
        case "mat":
            return boards.mat_sprite(the_mat(), int(name))
        case "board":
            return boards.quilt_board_sprite(int(name), the_mat().board_size_mm, the_mat().grid_size_mm)
        case "time-board":
            edition, border = name.split("/")
            return boards.time_board_sprite(Edition(edition), TIME_BOARD_BORDERS[int(border)])
        case "clutter":
            return clutter_sprite(name)
        case "hand":
            person, side = name.split("/")
            return hand_sprite(int(person), side == "left")
        case _:
            raise ValueError(f"nothing is drawn for {kind!r}")
