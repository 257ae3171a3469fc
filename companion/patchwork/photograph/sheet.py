"""The score of the quilts that were read."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.calibrating.boards import MOST_PICTURE_BLUR
from companion.languages import said
from companion.patchwork.photograph.hands import HandDoubt, SeenHand, read_hands, seat_of_tile
from companion.patchwork.photograph.photo import SeenQuilt, read_photo
from companion.patchwork.watching.setup_advice import DARK_WHITE, LEAST_CELL_PX, STEEP_DEG
from vision.board.quality import board_view, picture_blur_px, table_light
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
        hints: sentences on what makes the whole photograph hard to read; empty if it is a good one.
    """

    quilts: tuple[SeenQuilt, ...]
    hands: Mapping[int, SeenHand]
    tile: int | None
    hints: tuple[str, ...] = ()

    @property
    def is_bare(self) -> bool:
        """True if no patch lies on the quilts, all of which are seen well."""
        return all(quilt.is_seen and not quilt.covered.any() for quilt in self.quilts)


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
    """Yield sentences on what makes a whole photograph, shape (height, width, 3), uint8, BGR, hard to read."""
    if table_light(image, (quilt.place for quilt in quilts)).white < DARK_WHITE:
        yield said("The picture is dark: squares may be read wrongly. With more light it is read better.")
    if picture_blur_px(image) > MOST_PICTURE_BLUR * image.shape[1]:
        yield said("The picture is blurred: hold the camera still, and let it focus on the quilts.")


def quilt_hints(quilt: SeenQuilt) -> Iterator[str]:
    """Yield sentences on what makes a quilt in a photograph hard to read."""
    # Whether a corner is outside the picture does not matter here.
    view = board_view(quilt.place, (0, 0))
    if view.oblique_deg > STEEP_DEG:
        yield said("Seat {seat}’s quilt is seen from the side: take the picture from above.", seat=quilt.seat)
    if view.cell_px < LEAST_CELL_PX:
        yield said("Seat {seat}’s quilt is small in the picture: go closer.", seat=quilt.seat)
    if not quilt.is_seen:
        yield said(
            "Seat {seat}’s quilt is too blurred, too dark, too bright or too hazy in the picture: check every square, "
            "or take the picture again, closer or in better light.",
            seat=quilt.seat,
        )


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
class Standing:
    """The seat with more points, or 0 if neither has; `sure` is false if cells to check may change that."""

    seat: int
    sure: bool


@dataclass(frozen=True, slots=True)
class PhotoScore:
    """Both seats' results in their order, and sentences on what the picture alone does not show.

    Attributes:
        tile: the seat whose board the 7x7 tile is seen beside, or None.
        is_tile_given: true if people said who has the 7x7 tile, so that the quilts do not decide.
    """

    seats: tuple[SeatScore, ...]
    notes: tuple[str, ...]
    tile: int | None = None
    is_tile_given: bool = False

    @property
    def standing(self) -> Standing | None:
        """The seat that is ahead; None if a quilt, its buttons or the owner of a 7x7 tile that decides is not known."""
        if len(self.seats) != _SEATS or any(seat.buttons is None for seat in self.seats):
            return None
        best, other = sorted(self.seats, key=lambda seat: -seat.score)
        lead, least = best.score - other.score, self._least_lead(best, other)
        is_owner_open = not (self.is_tile_given or self.tile) and all(
            has_bonus_square(seat.quilt.covered) for seat in self.seats
        )
        if is_owner_open and lead <= BONUS:
            return None
        if lead:
            return Standing(best.quilt.seat, least > 0)
        return Standing(0, least == self._least_lead(other, best) == 0)

    def _least_lead(self, one: SeatScore, other: SeatScore) -> int:
        """Return the points by which a seat leads if all cells to check are to its disadvantage."""
        cells = [one.quilt.covered & ~one.quilt.doubts, other.quilt.covered | other.quilt.doubts]
        full = [seat.quilt.seat for seat, covered in zip((one, other), cells, strict=True) if has_bonus_square(covered)]
        owner = _owner(full, self.tile) or (other.quilt.seat if full else 0)
        points = [
            replace(
                seat,
                quilt=replace(seat.quilt, likely=covered.astype(np.float64)),
                bonus=seat.bonus if self.is_tile_given else seat.quilt.seat == owner,
            ).score
            for seat, covered in zip((one, other), cells, strict=True)
        ]
        return points[0] - points[1]

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
    notes = [*_notes_of_finding(quilts, is_bonus_known=bonus_seat is not None), *notes]
    return PhotoScore(seats, tuple(notes), tile, is_tile_given=bonus_seat is not None)


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
    notes += [hint for quilt in quilts for hint in quilt_hints(quilt)]
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
