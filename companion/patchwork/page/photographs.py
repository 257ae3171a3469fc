"""A finished game, or a circle of patches, in photographs that people send: readings, corrections and scores."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final

import numpy as np
from msgspec import Meta

from companion.config import Config
from companion.games.patchwork.cells import SIDE, cell_index
from companion.games.patchwork.components import PATCHES
from companion.languages import Language, render, said
from companion.patchwork.circle.seeing import MarketError, see_market_in_photo
from companion.patchwork.circle.seen import SeenMarket
from companion.patchwork.naming import patch_name
from companion.patchwork.photograph.hands import SeenHand
from companion.patchwork.photograph.photo import NoBoardError, SeenQuilt
from companion.patchwork.photograph.reading import LEATHER_NAME
from companion.patchwork.photograph.sheet import (
    FinishedReading,
    PhotoScore,
    SeatScore,
    count_score,
    has_bonus_square,
    quilt_hints,
    read_finished,
)
from companion.play.page import Body, Json, Picture, PlayerName, between, one_of
from companion.play.photographs import NotFoundError, PhotographKind, Progress, Quads, Result, advice
from vision.geometry import GRID_CORNERS

_MOST_BUTTONS: Final = 999
_CellName = Annotated[str, Meta(pattern="^[A-I][1-9]$")]
_Cells = Annotated[tuple[_CellName, ...], Meta(max_length=SIDE * SIDE)]


class EnteredSeat(Body):
    """The entries for one seat: the name, the buttons in hand, and the cells that were read wrongly."""

    name: PlayerName = ""
    buttons: Annotated[int, between(0, _MOST_BUTTONS)] | None = None
    covered: _Cells = ()
    empty: _Cells = ()


class EnteredScore(Body):
    """The entries for a finished game; `tile` is the seat with the 7x7 tile, 0 for none, None if unknown."""

    seats: Annotated[tuple[EnteredSeat, ...], Meta(max_length=2)] = ()
    tile: Annotated[int, between(0, 2)] | None = None


@dataclass(frozen=True, slots=True)
class _Joined:
    """The quilts of one game in one photograph or two.

    Attributes:
        score: the score sheet.
        photos: for each quilt, the number of its photograph.
        tile: the seat whose board the 7x7 tile is seen beside, or None.
    """

    score: PhotoScore
    photos: tuple[int, ...]
    tile: int | None


def _read_score(image: Picture, corners: Quads | None, config: Config, progress: Progress) -> FinishedReading:
    del config
    try:
        reading = read_finished(image, corners, progress)
    except NoBoardError as error:
        raise NotFoundError.said(
            "No quilt is found in the picture. {advice} Or show the corners of the board.", advice=advice(image)
        ) from error
    if corners is None and reading.is_bare:
        raise NotFoundError.said("No patch lies on the quilts: photograph a finished game.")
    return reading


def _joined(readings: Sequence[FinishedReading], entered: EnteredScore) -> _Joined:
    """Return the score of both quilts, or of the only one; in photographs of one quilt each, the first is seat 1's."""
    placed = [(number, quilt, reading) for number, reading in enumerate(readings) for quilt in reading.quilts][:2]
    quilts = [
        _corrected(replace(quilt, seat=seat), _of_seat(entered, seat))
        for seat, (_, quilt, _) in enumerate(placed, start=1)
    ]
    hands = {
        seat: replace(hand, seat=seat)
        for seat, (_, quilt, reading) in enumerate(placed, start=1)
        if (hand := reading.hands.get(quilt.seat)) is not None
    }
    tile = readings[0].tile if len(readings) == 1 else None
    score = count_score(quilts, None, entered.tile, hands, tile)
    seats = tuple(_with_buttons(seat, _of_seat(entered, seat.quilt.seat)) for seat in score.seats)
    return _Joined(replace(score, seats=seats), tuple(number for number, _, _ in placed), tile)


def _of_seat(entered: EnteredScore, seat: int) -> EnteredSeat:
    return entered.seats[seat - 1] if len(entered.seats) >= seat else EnteredSeat()


def _corrected(quilt: SeenQuilt, entered: EnteredSeat) -> SeenQuilt:
    """Return a quilt with the cells that people corrected, of which there is no doubt any more."""
    likely = quilt.likely.copy()
    likely.flat[_indices(entered.covered)] = 1.0
    likely.flat[_indices(entered.empty)] = 0.0
    return replace(quilt, likely=likely)


def _indices(cells: Iterable[str]) -> list[int]:
    return [cell_index(cell) for cell in cells]


def _with_buttons(seat: SeatScore, entered: EnteredSeat) -> SeatScore:
    return seat if entered.buttons is None else replace(seat, buttons=entered.buttons)


def _is_whole(readings: Sequence[FinishedReading]) -> bool:
    return sum(len(reading.quilts) for reading in readings) > 1


def _score_sheet(readings: Sequence[FinishedReading], entered: EnteredScore, language: Language) -> Json:
    joined = _joined(readings, entered)
    seats, standing = joined.score.seats, joined.score.standing
    hints = [hint for reading in readings for hint in reading.hints]
    hints += [hint for seat in seats for hint in quilt_hints(seat.quilt)]
    return {
        "seats": [_seat_json(seat, photo) for seat, photo in zip(seats, joined.photos, strict=True)],
        "full": [seat.quilt.seat for seat in seats if has_bonus_square(seat.quilt.covered)],
        "tile": joined.tile,
        "hints": [render(hint, language) for hint in hints],
        "guessed": len(readings) == 1 and len(seats) > 1 and any(seat.quilt.guessed for seat in seats),
        "winner": None if standing is None else standing.seat,
        "sure": standing is not None and standing.sure,
    }


def _seat_json(seat: SeatScore, photo: int) -> Json:
    quilt = seat.quilt
    return {
        "seat": quilt.seat,
        "photo": photo,
        "corners": quilt.place(GRID_CORNERS).round(1).tolist(),
        "rows": list(quilt.rows),
        "doubtful": list(replace(quilt, unclear=False).doubtful),
        "unclear": quilt.unclear,
        "pieces": [{"patch": piece.patch, "cells": list(piece.cells)} for piece in quilt.pieces],
        "patches": sum(piece.patch != LEATHER_NAME for piece in quilt.pieces),
        "income": quilt.income,
        "income_sure": quilt.is_income_sure,
        "empty": quilt.empty,
        "buttons": seat.buttons,
        "tokens": _tokens_json(seat.hand),
        "bonus": seat.bonus,
        "score": seat.score,
    }


def _tokens_json(hand: SeenHand | None) -> Json | None:
    if hand is None:
        return None
    return {"value": hand.value, "sure": hand.sure, "discs": np.round(hand.discs_px, 1).tolist()}


def _result(readings: Sequence[FinishedReading], entered: EnteredScore) -> Result | None:
    seats = _joined(readings, entered).score.seats
    if not seats or any(seat.buttons is None for seat in seats):
        return None
    names = tuple(_of_seat(entered, seat.quilt.seat).name.strip() for seat in seats)
    sheet = [
        {
            "quilt": list(seat.quilt.rows),
            "pieces": [{"patch": piece.patch, "cells": list(piece.cells)} for piece in seat.quilt.pieces],
            "buttons": seat.buttons,
            "bonus": seat.bonus,
            "empty": seat.quilt.empty,
        }
        for seat in seats
    ]
    return Result(names, tuple(seat.score for seat in seats), {"seats": sheet})


class EnteredPlace(Body):
    """The patch that people named at a place of the circle, counted from 1."""

    place: Annotated[int, between(1, 99)]
    patch: Annotated[str, one_of(*PATCHES)]


class EnteredCircle(Body):
    """The places of the circle at which people named the patch."""

    places: Annotated[tuple[EnteredPlace, ...], Meta(max_length=99)] = ()


def _read_circle(image: Picture, corners: Quads | None, config: Config, progress: Progress) -> SeenMarket:
    del config
    progress(said("Looking for the patches around the board"))
    try:
        return see_market_in_photo(image, corners)
    except MarketError as error:
        # Without a board there is no scale; any other fault is this machine's.
        if error.__cause__ is not None:
            raise
        raise NotFoundError.said(
            "No quilt board is found beside the circle. {advice} Or show the corners of a board.", advice=advice(image)
        ) from error


def _circle_sheet(readings: Sequence[SeenMarket], entered: EnteredCircle, language: Language) -> Json:
    market = readings[0]
    named = {each.place: each.patch for each in entered.places}
    doubts = {doubt.place: doubt.candidates for doubt in market.doubtful}
    names = [named.get(place, piece.patch) for place, piece in enumerate(market.pieces, start=1)]
    missing = [patch for patch in PATCHES if patch not in names]
    return {
        "pieces": [
            {
                "patch": names[place - 1],
                "outline": np.round(piece.outline_px, 1).tolist(),
                "middle": [round(value, 1) for value in piece.centre_px],
                "candidates": list(dict.fromkeys((*doubts[place], *missing))) if place in doubts else [],
                "doubtful": place in doubts and place not in named,
            }
            for place, piece in enumerate(market.pieces, start=1)
        ],
        "token": None if market.token_px is None else [round(value, 1) for value in market.token_px],
        "names": {patch: render(patch_name(patch), language) for patch in PATCHES},
        "missing": missing,
        "begins": market.begins,
        "circle": names if not missing and len(names) == len(PATCHES) and market.begins != "nowhere" else None,
    }


PHOTOGRAPHS: Final[tuple[PhotographKind[Any, Any], ...]] = (
    PhotographKind(
        name="patchwork",
        title=said("A finished game of Patchwork"),
        most=2,
        boards=2,
        entered=EnteredScore,
        read=_read_score,
        is_whole=_is_whole,
        sheet=_score_sheet,
        result=_result,
    ),
    PhotographKind(
        name="circle",
        title=said("The circle of patches before a game"),
        most=1,
        boards=2,
        entered=EnteredCircle,
        read=_read_circle,
        is_whole=lambda _: True,
        sheet=_circle_sheet,
    ),
)
