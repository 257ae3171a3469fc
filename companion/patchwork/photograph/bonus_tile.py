"""Detection of the 7x7 tile beside a player's board in a photograph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.patchwork.photograph.time_board import time_board_in
from vision.tokens.tiles import find_tiles

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from companion.patchwork.photograph.photo import SeenQuilt
    from vision.geometry.homography import Homography
    from vision.tokens.tiles import Tile

_REACH_CELLS: Final = 8.0
"""Distance from its middle to a board's grid beyond which it is no player's; two recordings and a photograph had 4 to
7.5."""
_NEARER_CELLS: Final = 1.0
"""The distance by which it lies nearer to its owner's board than to the other one."""
_NO_PATCH: Final = -1.0
"""Log-odds below which an object is certainly no patch: the tile had -3.5 on two recordings and -1.2 in a photograph, a
patch of two by two cells 0.3."""
_A_PATCH: Final = 2.0
"""Log-odds from which an object is a patch of any shape: the tile had up to 0.3 on simulated tables, patches 4 to 6."""
LIKE_IT: Final = "square"
"""The patch of two by two cells, which may be mistaken for the tile while it lies on neither quilt."""


def seat_of_tile(image: NDArray[np.uint8], quilts: Sequence[SeenQuilt]) -> int | None:
    """Return the seat whose board the 7x7 tile lies beside, or None if that is not certain.

    Args:
        image: the photograph, shape (height, width, 3), uint8, BGR.
        quilts: both quilts as read.
    """
    is_sewn = any(piece.patch == LIKE_IT for quilt in quilts for piece in quilt.pieces)
    return owner_in(image, {quilt.seat: quilt.place for quilt in quilts}, is_square_sewn=is_sewn)


def owner_in(image: NDArray[np.uint8], places: Mapping[int, Homography], *, is_square_sewn: bool) -> int | None:
    """Return the seat that has the tile in a photograph, as `owner_of` does, given by seat the boards' places in it."""
    boards, seats = list(places.values()), list(places)
    if owner_of(find_tiles(image, boards), seats, is_square_sewn=is_square_sewn) is None:
        return None
    # Only now is it worth a second to check whether it lies by the time board.
    tiles = find_tiles(image, boards, time_board_in(image, boards))
    return owner_of(tiles, seats, is_square_sewn=is_square_sewn)


def owner_of(tiles: Sequence[Tile], seats: Sequence[int], *, is_square_sewn: bool) -> int | None:
    """Return the seat of the only object that may be the tile; None if there is none, several, or it lies between.

    A tile nearer to the time board than to a player's board has not been won.

    Args:
        tiles: the objects of its size.
        seats: the seats of the boards from which they were measured, in the same order.
        is_square_sewn: whether the patch that looks like it (`LIKE_IT`) certainly lies on a quilt.
    """
    near = [tile for tile in tiles if min(tile.away_cells) < _REACH_CELLS and tile.piece < _A_PATCH]
    if len(near) != 1 or (near[0].piece >= _NO_PATCH and not is_square_sewn):
        return None
    if near[0].piece > min(tile.piece for tile in tiles):
        # An object elsewhere is less like a patch: that one is the tile.
        return None
    own, other = sorted(zip(near[0].away_cells, seats, strict=True))
    is_won = own[0] < near[0].off_track_cells
    return own[1] if is_won and other[0] - own[0] >= _NEARER_CELLS else None
