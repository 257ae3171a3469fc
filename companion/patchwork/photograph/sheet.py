"""The score of the quilts that were read, and a drawing of the reading to check it by."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.calibrating.boards import MOST_PICTURE_BLUR
from companion.games.patchwork.cells import SIDE, cell_index
from companion.languages import said
from companion.patchwork.photograph.hands import HandDoubt, SeenHand, read_hands, seat_of_tile
from companion.patchwork.photograph.photo import SeenQuilt, read_photo
from companion.patchwork.watching.opening import DARK_WHITE, LEAST_CELL_PX, STEEP_DEG
from vision.board.quality import board_view, picture_blur_px, table_light
from vision.geometry import GRID_CORNERS, Homography
from vision.reductions import enlarged
from vision.tokens.heaps import HeapDoubt

BONUS: Final = 7
BONUS_SIDE: Final = 7
EMPTY_COST: Final = 2
"""Points for the 7x7 tile, its side, and points for each empty square (rulebook, scoring)."""
_GUESSED: Final = said(
    "The boards were found by their outlines alone; seat 1’s is the left or the nearer one. Check with --show out.png."
)
_ALONE: Final = said(
    "Only one quilt is seen. If the other is in the picture too, give both boards’ corners with {option}.",
    option="--corners",
)
_ALONE_TILE: Final = said(
    "The picture cannot show whether the other quilt had a full 7x7 square first: say so with {option}.",
    option="--bonus 0",
)
_SEATS: Final = 2
_BURIED: Final = frozenset({HeapDoubt.STACKED.value, HeapDoubt.HIDDEN.value})
_WHOSE: Final = frozenset(doubt.value for doubt in HandDoubt)


@dataclass(frozen=True, slots=True, eq=False)
class FinishedReading:
    """A finished game as it was read from one photograph.

    Attributes:
        quilts: both quilts in the order of the seats, or the only one seen.
        hands: by seat, the tokens seen; empty if they were not looked for.
        tile: the seat whose board the 7x7 tile is seen beside, or None if that is not certain.
        hints: sentences on what makes the photograph hard to read; empty if it is a good one.
    """

    quilts: tuple[SeenQuilt, ...]
    hands: Mapping[int, SeenHand]
    tile: int | None
    hints: tuple[str, ...] = ()


def _ignored(stage: str) -> None:
    del stage


def read_finished(
    image: NDArray[np.uint8],
    corners: Sequence[ArrayLike] | None = None,
    progress: Callable[[str], None] = _ignored,
    *,
    counts_buttons: bool = True,
    seeks_tile: bool = True,
) -> FinishedReading:
    """Read a finished game.

    Args:
        image: the photograph, shape (height, width, 3), uint8, BGR.
        corners: as for `read_photo`.
        progress: is told, as a sentence, what is done next.
        counts_buttons: whether the buttons in hand are looked for.
        seeks_tile: whether the 7x7 tile is looked for, where a seat can have won it.

    Raises:
        PhotoError: no board is found, corners lie outside the picture, or this machine cannot compute the evidence.
    """
    progress(said("Looking for the quilts"))
    quilts = read_photo(image, corners)
    hints = tuple(photograph_hints(image, quilts))
    hands: Mapping[int, SeenHand] = {}
    if counts_buttons:
        progress(said("Counting the buttons"))
        hands = read_hands(image, {quilt.seat: quilt.place for quilt in quilts})
    can_be_won = len(quilts) == _SEATS and any(has_bonus_square(quilt.covered) for quilt in quilts)
    if not (seeks_tile and can_be_won):
        return FinishedReading(quilts, hands, None, hints)
    progress(said("Looking for the 7x7 tile"))
    return FinishedReading(quilts, hands, seat_of_tile(image, quilts), hints)


def photograph_hints(image: NDArray[np.uint8], quilts: Sequence[SeenQuilt]) -> Iterator[str]:
    """Yield sentences on what makes a photograph, shape (height, width, 3), uint8, BGR, of quilts hard to read."""
    if table_light(image, (quilt.place for quilt in quilts)).white < DARK_WHITE:
        yield said("The picture is dark: squares may be read wrongly. With more light it is read better.")
    if picture_blur_px(image) > MOST_PICTURE_BLUR * image.shape[1]:
        yield said("The picture is blurred: hold the camera still, and let it focus on the quilts.")
    for quilt in quilts:
        view = board_view(quilt.place, (image.shape[1], image.shape[0]))
        if view.oblique_deg > STEEP_DEG:
            yield said("Seat {seat}’s quilt is seen from the side: take the picture from above.", seat=quilt.seat)
        if view.cell_px < LEAST_CELL_PX:
            yield said("Seat {seat}’s quilt is small in the picture: go closer.", seat=quilt.seat)


@dataclass(frozen=True, slots=True)
class SeatScore:
    """One seat's result; the buttons in hand are given or counted in the picture, None if unknown."""

    quilt: SeenQuilt
    buttons: int | None
    bonus: bool
    hand: SeenHand | None = None

    @property
    def score(self) -> int:
        """Buttons (0 if unknown), plus 7 for the tile, minus 2 for each empty cell."""
        return (self.buttons or 0) + BONUS * self.bonus - EMPTY_COST * self.quilt.empty


@dataclass(frozen=True, slots=True)
class PhotoScore:
    """Both seats' results in their order, and sentences on what the picture alone does not show."""

    seats: tuple[SeatScore, ...]
    notes: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `companion score --json`."""
        return {"seats": [_seat_json(seat) for seat in self.seats], "notes": list(self.notes)}


def _seat_json(seat: SeatScore) -> dict[str, Any]:
    quilt = seat.quilt
    return {
        "seat": quilt.seat,
        "quilt": list(quilt.rows),
        "empty": quilt.empty,
        "score": seat.score,
        "confidence": round(quilt.confidence, 4),
        "doubtful": list(quilt.doubtful),
        "buttons": seat.buttons,
        "bonus": seat.bonus,
        "tokens": None if seat.hand is None else _hand_json(seat.hand),
        "income": quilt.income,
        "income_confidence": round(quilt.income_confidence, 4),
        "patches": [
            {"patch": piece.patch, "cells": list(piece.cells), "confidence": round(piece.confidence, 4)}
            for piece in quilt.pieces
        ],
    }


def _hand_json(hand: SeenHand) -> dict[str, Any]:
    of = [{"value": value, "count": count} for value, count in hand.tokens.items()]
    return {"value": hand.value, "sure": hand.sure, "of": of, "doubts": list(hand.doubts)}


def count_score(
    quilts: Sequence[SeenQuilt],
    buttons: Sequence[int] | None = None,
    bonus_seat: int | None = None,
    hands: Mapping[int, SeenHand] | None = None,
    tile_seat: int | None = None,
) -> PhotoScore:
    """Count the scores.

    Args:
        quilts: both in the order of the seats, or the only one seen.
        buttons: the buttons in hand, in that order; None to take them from `hands` if they are sure.
        bonus_seat: the seat that has the 7x7 tile, 0 for none; None to judge by the quilts: it belongs to the only
            seat with such a square.
        hands: by seat, the tokens seen.
        tile_seat: the seat whose board the 7x7 tile is seen beside, or None if that is not certain.
    """
    hands = hands or {}
    full = [quilt.seat for quilt in quilts if has_bonus_square(quilt.covered)]
    tile = tile_seat if bonus_seat is None else None
    owner = _owner(full, tile) if bonus_seat is None else bonus_seat
    counts = _counted(quilts, hands) if buttons is None else buttons
    seats = tuple(
        SeatScore(quilt, count, quilt.seat == owner, hands.get(quilt.seat))
        for quilt, count in zip(quilts, counts, strict=True)
    )
    notes = [] if buttons is not None else _notes_of_buttons(seats)
    notes += _notes(full, owner, is_bonus_known=bonus_seat is not None)
    notes += _notes_of_tile(full, tile)
    return PhotoScore(seats, (*_notes_of_finding(quilts, is_bonus_known=bonus_seat is not None), *notes))


def _owner(full: Sequence[int], tile_seat: int | None) -> int | None:
    """Return the tile's owner: the only seat with a full square or, of two, the one whose board it lies beside."""
    if len(full) == 1:
        return full[0]
    return tile_seat if tile_seat in full else None


def has_bonus_square(covered: NDArray[np.bool_]) -> bool:
    """Return whether a 7x7 square is completely covered in a quilt of shape (9, 9)."""
    squares = np.lib.stride_tricks.sliding_window_view(covered, (BONUS_SIDE, BONUS_SIDE))
    return bool(squares.all(axis=(2, 3)).any())


def _counted(quilts: Sequence[SeenQuilt], hands: Mapping[int, SeenHand]) -> list[int | None]:
    own = [hands.get(quilt.seat) for quilt in quilts]
    return [hand.value if hand is not None and hand.sure else None for hand in own]


def _notes_of_finding(quilts: Sequence[SeenQuilt], *, is_bonus_known: bool) -> list[str]:
    notes: list[str] = [_GUESSED] if any(quilt.guessed for quilt in quilts) and len(quilts) > 1 else []
    notes += [_unclear(quilt.seat) for quilt in quilts if quilt.unclear]
    notes += [_unseen(quilt.seat) for quilt in quilts if not quilt.is_seen]
    if len(quilts) == 1:
        notes.append(_ALONE)
        if has_bonus_square(quilts[0].covered) and not is_bonus_known:
            notes.append(_ALONE_TILE)
    return notes


def _unclear(seat: int) -> str:
    return said(
        "The board of seat {seat} may be one row or column off from where it was found: give both boards’ corners "
        "with {option}.",
        seat=seat,
        option="--corners",
    )


def _unseen(seat: int) -> str:
    return said(
        "Seat {seat}’s quilt is too blurred, too dark or too hazy in the picture: check every square, or take the "
        "picture again, closer or in more light.",
        seat=seat,
    )


def _notes_of_buttons(seats: Sequence[SeatScore]) -> list[str]:
    """Return sentences on the tokens counted in the picture, and on the buttons still unknown."""
    notes: list[str] = [_of_hand(seat.hand) for seat in seats if seat.hand is not None]
    if all(seat.buttons is None for seat in seats):
        notes.append(said("Buttons are not counted: add them with --buttons 14,18 (seat 1, seat 2)."))
    elif any(seat.buttons is None for seat in seats):
        notes.append(said("Give the buttons of both seats: {option} (seat 1, seat 2).", option="--buttons 14,18"))
    return notes


def _of_hand(hand: SeenHand) -> str:
    """Return the sentence on the tokens before a player; of several doubts the most visible one."""
    names: dict[str, Any] = {"seat": hand.seat, "count": hand.value, "tokens": written(hand.tokens)}
    if hand.sure:
        return said("Seat {seat}’s buttons are counted in the picture: {count} ({tokens}).", **names)
    doubts = set(hand.doubts)
    if doubts & _BURIED:
        return said("Seat {seat}’s buttons are not sure: {count} in sight, some may lie under others.", **names)
    if HeapDoubt.AT_EDGE in doubts:
        return said("Seat {seat}’s buttons are not sure: {count} in sight, the picture ends beside them.", **names)
    if doubts & _WHOSE:
        return said("Seat {seat}’s buttons are not sure: {count} in sight, they may be the bank’s.", **names)
    return said("Seat {seat}’s buttons are not sure: {count} in sight, and other things beside them.", **names)


def written(tokens: Mapping[int, int]) -> str:
    """Return tokens as a sum, the largest value first: "20 + 5 + 1 + 1"."""
    return " + ".join(str(value) for value, count in tokens.items() for _ in range(count))


def _notes(full: list[int], owner: int | None, *, is_bonus_known: bool) -> list[str]:
    notes: list[str] = []
    if len(full) > 1 and owner is None and not is_bonus_known:
        notes.append(said("Both quilts have a full 7x7 square: say who was first with --bonus 1 or --bonus 2."))
    if is_bonus_known and owner and owner not in full:
        notes.append(
            said("Seat {seat} was given the 7x7 tile, but no full 7x7 square is seen on that quilt.", seat=owner)
        )
    return notes


def _notes_of_tile(full: Sequence[int], tile_seat: int | None) -> list[str]:
    """Return sentences on the 7x7 tile if it decides, or lies by the board of a seat without a full square."""
    if tile_seat is None:
        return []
    if tile_seat not in full:
        return [
            said(
                "The 7x7 tile seems to lie by the board of seat {seat}, but no full 7x7 square is seen on that quilt.",
                seat=tile_seat,
            )
        ]
    if len(full) > 1:
        return [said("Both quilts have a full 7x7 square; the tile lies by the board of seat {seat}.", seat=tile_seat)]
    return []


_COVERED: Final = (96, 190, 60)
_EMPTY: Final = (250, 250, 250)
_DOUBT: Final = (0, 150, 255)
_INK: Final = (40, 30, 25)
# Corners of a doubtful cell's frame, in cells.
_FRAME: Final = np.array([[0.08, 0.08], [0.92, 0.08], [0.92, 0.92], [0.08, 0.92]])
_SEAM: Final = (120, 235, 120)
# The sides of a cell: by the direction (rows, columns) of the neighbour, the ends (x, y).
_SIDES: Final = {
    (-1, 0): ((0.0, 0.0), (1.0, 0.0)),
    (1, 0): ((0.0, 1.0), (1.0, 1.0)),
    (0, -1): ((0.0, 0.0), (0.0, 1.0)),
    (0, 1): ((1.0, 0.0), (1.0, 1.0)),
}
# The number of fractional bits in OpenCV's fixed-point coordinates.
_SHIFT: Final = 4
_FONT: Final = cv2.FONT_HERSHEY_DUPLEX
# Height of a line of a plate, in cells; its gap to the board, in heights of the plate; a step towards a narrower one.
_LINE: Final = 0.62
_PLATE_GAP: Final = 0.3
_SMALLER: Final = 0.95


def draw_score(image: NDArray[np.uint8], score: PhotoScore) -> NDArray[np.uint8]:
    """Draw grids, readings and doubts over the photograph; return it, enlarged if it is small.

    Pieces are outlined; covered cells have a green dot, empty ones a white ring, doubtful ones also an orange frame.
    Each button token has a ring: green if all of a player's are sure, else orange. Each player's score is beside the
    board, or beneath the photograph if the boards leave no room.
    """
    picture, scale = enlarged(image)
    veil = picture.copy()
    for seat in score.seats:
        _draw_grid(veil, seat.quilt.place, scale)
    # Blended, so that the print below the lines remains visible.
    picture = np.asarray(cv2.addWeighted(veil, 0.55, picture, 0.45, 0.0), np.uint8)
    for seat in score.seats:
        _draw_pieces(picture, seat, scale)
        _draw_cells(picture, seat, scale)
        _draw_tokens(picture, seat, scale)
    return _titled(picture, score.seats, scale)


def _draw_grid(picture: NDArray[np.uint8], place: Homography, scale: float) -> None:
    for line in range(SIDE + 1):
        for ends in ([[line, 0], [line, SIDE]], [[0, line], [SIDE, line]]):
            edge = line in (0, SIDE)
            _polyline(picture, place(ends) * scale, _EMPTY, 3 if edge else 1, closed=False)


def _draw_pieces(picture: NDArray[np.uint8], seat: SeatScore, scale: float) -> None:
    """Draw a line around each piece."""
    for piece in seat.quilt.pieces:
        cells = {divmod(cell_index(name), SIDE) for name in piece.cells}
        for row, column in cells:
            for (down, right), side in _SIDES.items():
                if (row + down, column + right) not in cells:
                    ends = seat.quilt.place(np.array(side) + np.array([column, row])) * scale
                    _polyline(picture, ends, _INK, 4, closed=False)
                    _polyline(picture, ends, _SEAM, 2, closed=False)


def _draw_cells(picture: NDArray[np.uint8], seat: SeatScore, scale: float) -> None:
    quilt = seat.quilt
    for row, column in np.ndindex(SIDE, SIDE):
        middle = quilt.place([column + 0.5, row + 0.5]) * scale
        cell_px = float(np.hypot(*(quilt.place([column + 1.0, row + 0.5]) * scale - middle))) * 2
        if quilt.covered[row, column]:
            _disc(picture, middle, 0.17 * cell_px, _INK)
            _disc(picture, middle, 0.13 * cell_px, _COVERED)
        else:
            _disc(picture, middle, 0.20 * cell_px, _INK, 0.11 * cell_px)
            _disc(picture, middle, 0.20 * cell_px, _EMPTY, 0.06 * cell_px)
    for name in quilt.doubtful:
        row, column = divmod(cell_index(name), SIDE)
        outline = quilt.place(_FRAME + np.array([column, row])) * scale
        _polyline(picture, outline, _INK, 5)
        _polyline(picture, outline, _DOUBT, 3)


def _draw_tokens(picture: NDArray[np.uint8], seat: SeatScore, scale: float) -> None:
    """Draw a ring around each token before a player."""
    if seat.hand is None:
        return
    for x, y, radius_px in seat.hand.discs_px:
        middle, width_px = np.array([x, y]) * scale, 1.2 * radius_px * scale
        _disc(picture, middle, width_px, _INK, 5)
        _disc(picture, middle, width_px, _SEAM if seat.hand.sure else _DOUBT, 3)


def _titled(picture: NDArray[np.uint8], seats: Sequence[SeatScore], scale: float) -> NDArray[np.uint8]:
    """Return the picture with a plate for each seat, above or below its board, or beneath the picture.

    A plate covers neither a board nor another plate.
    """
    outlines = [seat.quilt.place(GRID_CORNERS) * scale for seat in seats]
    taken = [(outline.min(axis=0), outline.max(axis=0)) for outline in outlines]
    for seat, outline in zip(seats, outlines, strict=True):
        plate = _plate(_title(seat), float(np.hypot(*(outline[1] - outline[0]))) / SIDE, picture.shape[1])
        height_px, width_px = plate.shape[:2]
        left = float(np.clip(outline[:, 0].mean() - width_px / 2, 0, picture.shape[1] - width_px))
        gap = _PLATE_GAP * height_px
        tops = (outline[:, 1].min() - gap - height_px, outline[:, 1].max() + gap)
        top = next((each for each in tops if _is_free(picture, plate, (left, each), taken)), None)
        if top is None:
            top = float(picture.shape[0])
            picture = np.asarray(cv2.copyMakeBorder(picture, 0, height_px, 0, 0, cv2.BORDER_CONSTANT, value=_INK))
        column, row = _whole([left, top])
        picture[row : row + height_px, column : column + width_px] = plate
        taken.append((np.array([left, top]), np.array([left + width_px, top + height_px])))
    return picture


def _is_free(
    picture: NDArray[np.uint8],
    plate: NDArray[np.uint8],
    at: tuple[float, float],
    taken: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]],
) -> bool:
    """Return whether the plate, its upper left corner here, lies in the picture and on none of the boxes taken."""
    first, last = np.array(at), np.array(at) + plate.shape[1::-1]
    is_inside = bool((first >= 0).all() and (last <= picture.shape[1::-1]).all())
    return is_inside and not any((first < end).all() and (start < last).all() for start, end in taken)


def _plate(lines: Sequence[str], cell_px: float, most_px: int) -> NDArray[np.uint8]:
    """Return a plate with these lines, written as large as suits the board, at most this wide."""
    line_px = _LINE * cell_px
    # Strokes of a large font are whole pixels wide: the width is not quite proportional to the size.
    while (width_px := _written_px(lines, line_px) + line_px) > most_px:
        line_px *= _SMALLER
    plate = np.full((round(line_px * (len(lines) + 0.4)), round(width_px), 3), _INK, np.uint8)
    for number, line in enumerate(lines, start=1):
        size, thickness = _font(line_px)
        at = _whole([line_px / 2, line_px * number])
        cv2.putText(plate, line, at, _FONT, size, _EMPTY, thickness, cv2.LINE_AA)
    return plate


def _written_px(lines: Sequence[str], line_px: float) -> int:
    return max(int(cv2.getTextSize(line, _FONT, *_font(line_px))[0][0]) for line in lines)


def _font(line_px: float) -> tuple[float, int]:
    """Return OpenCV's size and thickness for lines of this height."""
    size = line_px * 0.6 / cv2.getTextSize("8", _FONT, 1.0, 1)[0][1]
    return size, max(1, round(size * 1.6))


def _title(seat: SeatScore) -> Sequence[str]:
    quilt = seat.quilt
    parts = [f"{quilt.empty} empty", "no buttons counted" if seat.buttons is None else f"{seat.buttons} buttons"]
    if seat.bonus:
        parts.append("7x7 tile")
    doubts = len(quilt.doubtful)
    if doubts:
        parts.append(f"{doubts} to check")
    return f"Seat {quilt.seat}: {seat.score} points", ", ".join(parts)


def _disc(
    picture: NDArray[np.uint8], middle: NDArray[np.float64], radius_px: float, colour: Sequence[int], line_px: float = 0
) -> None:
    fine = 1 << _SHIFT
    thickness = max(1, round(line_px)) if line_px else -1
    at = _whole(middle * fine)
    cv2.circle(picture, at, round(max(radius_px, 1.5) * fine), colour, thickness, cv2.LINE_AA, _SHIFT)


def _polyline(
    picture: NDArray[np.uint8],
    points: NDArray[np.float64],
    colour: Sequence[int],
    width_px: int,
    *,
    closed: bool = True,
) -> None:
    fine = np.rint(points * (1 << _SHIFT)).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(picture, [fine], closed, colour, width_px, cv2.LINE_AA, _SHIFT)


def _whole(point: ArrayLike) -> tuple[int, int]:
    x, y = np.rint(np.asarray(point, np.float64)).astype(int).tolist()
    return x, y
