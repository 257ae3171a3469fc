"""Patchwork's side of the page."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, Final, TypeAlias

import cv2
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from companion.config import MOST_HANDICAP
from companion.config.palette import COLOURS
from companion.games.patchwork.cells import SIDE, indices_of, mask_of
from companion.games.patchwork.components import PATCHES, Edition
from companion.games.patchwork.state import RuleProfile, State
from companion.games.strategy import LEVEL_CHOICES, level_named
from companion.languages import render, said
from companion.patchwork.arrangement import CircleSource, PatchworkArrangement, deal_steps, dealt_market
from companion.patchwork.circle.desk import CircleDesk
from companion.patchwork.circle.keeper import LaidOut
from companion.patchwork.codec import PATCHWORK
from companion.patchwork.commands import NamePatch, Override
from companion.patchwork.page import archive, circle, snapshot
from companion.patchwork.page import virtual as by_hand
from companion.patchwork.page.choices import DENOMINATIONS
from companion.patchwork.page.circle import Cells, Circuit, Patch, Seat
from companion.patchwork.page.snapshot import PatchworkAccount
from companion.patchwork.watching.watch import Evidence, TableWatch
from companion.patchwork.words import sentences, turn_sentence
from companion.pictures import SHIFT, disc, polyline
from companion.play.arrangement import ArrangementError
from companion.play.friend import Friend, NoPartnerError, code_in
from companion.play.page import (
    Asking,
    Body,
    Exposure,
    GamePage,
    GameRequest,
    GameRoute,
    Json,
    LanguageCode,
    Need,
    Order,
    Picture,
    PlayerName,
    Publish,
    SetupOffer,
    Visibility,
    between,
    one_of,
)
from companion.play.partner import Robot
from hardware.ports import Frame
from hardware.reconnecting import full_stop
from vision.geometry import CELLS_TO_VIEW, GRID_CORNERS, Homography, rectify

_LINE: Final = (250, 250, 250)
_INK: Final = (40, 30, 25)
_COVERED: Final = (96, 190, 60)
_DOUBT: Final = (0, 150, 255)
# The light of cells that changed, and of those that look as expected.
_CHANGED: Final = (40, 200, 255)
_UNCHANGED: Final = (150, 130, 60)
_LIGHT: Final = 0.6
# How long the light of a look lasts, the end of it fading.
_LIT_S: Final = 4.0
_FADING_S: Final = 1.5
# Corners of a marked cell's outline, in cells.
_OUTLINE: Final = np.array([[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]])


@dataclass(frozen=True, slots=True)
class Boards:
    """A frame with the state of the boards when it was taken.

    Attributes:
        frame: the frame.
        places: by seat, the map from cell space to its pixels.
        quilts: by seat, the covered cells, as the rules' bit mask.
        marked: by seat, the cells in question, as a bit mask, too.
        evidence: by seat, what a recent look found.
    """

    frame: Frame
    places: Mapping[int, Homography]
    quilts: Mapping[int, int]
    marked: Mapping[int, int]
    evidence: Mapping[int, Evidence] = field(default_factory=dict)

    def exposure(self, question: Hashable = None) -> Exposure:
        """Return the picture with its overlay; `question` identifies the open question, if any."""
        return Exposure(self.frame, partial(draw_camera, self), partial(draw_crop, self), question)


def exposure_of(watch: TableWatch, table: PatchworkAccount | None) -> Exposure | None:
    """Return the newest frame with the state of the boards, or None before the first frame."""
    if watch.frame is None:
        return None
    if table is None:
        return Boards(watch.frame, watch.places, {}, {}).exposure()
    quilts = {seat: table.state.seat(seat).quilt for seat in (1, 2)}
    boards = Boards(watch.frame, watch.places, quilts, _marked(table), dict(watch.evidence))
    return boards.exposure(table.looked_at or None)


def _marked(table: PatchworkAccount) -> Mapping[int, int]:
    """Return the cells that the open question or the complaint concerns, by seat."""
    question, complaint = table.pending.question, table.pending.complaint
    if question is not None:
        return {question.seat: mask_of(question.cells)}
    if complaint is None or table.pending.phase() != "complaint":
        return {}
    return {complaint.quilt: mask_of(complaint.cells)}


def draw_camera(boards: Boards) -> Picture:
    """Draw the whole frame, shape (height, width, 3), uint8, BGR, with the boards and covered cells."""
    # A copy: the reader works with the same picture.
    picture = boards.frame.image.copy()
    for seat, place in boards.places.items():
        if (found := boards.evidence.get(seat)) is not None:
            _draw_evidence(picture, place, found, boards.frame.t_s)
        _draw_grid(picture, place)
        _draw_covered(picture, place, boards.quilts.get(seat, 0))
        _draw_marked(picture, place, boards.marked.get(seat, 0))
    return picture


def draw_crop(boards: Boards, seat: int) -> Picture | None:
    """Draw a seat's board rectified, shape (VIEW_PX, VIEW_PX, 3), uint8, BGR, with cells in question marked.

    Return None if the board was not in view.
    """
    if seat not in boards.places:
        return None
    view = rectify(boards.frame.image, boards.places[seat])
    _draw_marked(view, CELLS_TO_VIEW, boards.marked.get(seat, 0))
    return view


def _draw_grid(picture: NDArray[np.uint8], place: Homography) -> None:
    for line in range(SIDE + 1):
        for ends in ([[line, 0], [line, SIDE]], [[0, line], [SIDE, line]]):
            polyline(picture, place(ends), (2 if line in (0, SIDE) else 1, _LINE), closed=False)


def _draw_evidence(picture: NDArray[np.uint8], place: Homography, found: Evidence, now_s: float) -> None:
    """Light up each cell in the colour of its evidence, which fades away."""
    strength = _LIGHT * min(1.0, max(0.0, (_LIT_S - (now_s - found.looked_s)) / _FADING_S))
    if strength == 0.0:
        return
    lit = picture.copy()
    for (row, column), changed in np.ndenumerate(found.changed):
        outline = np.rint(place(_OUTLINE + np.array([column, row])) * (1 << SHIFT)).astype(np.int32)
        colour = (1 - changed) * np.array(_UNCHANGED) + changed * np.array(_CHANGED)
        cv2.fillConvexPoly(lit, outline, colour.tolist(), cv2.LINE_AA, SHIFT)
    cv2.addWeighted(lit, strength, picture, 1 - strength, 0, dst=picture)


def _draw_covered(picture: NDArray[np.uint8], place: Homography, quilt: int) -> None:
    """Draw a dot on each covered cell."""
    for row, column in (divmod(index, SIDE) for index in indices_of(quilt)):
        middle, side = place([[column + 0.5, row + 0.5], [column + 1.0, row + 0.5]])
        radius_px = 0.3 * float(np.hypot(*(side - middle)))
        disc(picture, middle, radius_px + 1.5, _INK)
        disc(picture, middle, radius_px, _COVERED)


def _draw_marked(picture: NDArray[np.uint8], place: Homography, cells: int) -> None:
    """Draw a frame around each cell in question."""
    for row, column in (divmod(index, SIDE) for index in indices_of(cells)):
        polyline(picture, place(_OUTLINE + np.array([column, row])), (5, _INK), (3, _DOUBT))


_Colour: TypeAlias = Annotated[str, one_of(*COLOURS)]
# With what people add to a code.
_LONGEST_CODE: Final = 40


class RobotBody(Body):
    """The robot at a seat."""

    seat: Seat
    level: Annotated[str, one_of(*LEVEL_CHOICES)]
    handicap: Annotated[int, between(-MOST_HANDICAP, MOST_HANDICAP)] = 0


class FriendBody(Body):
    """The friend at another table, and the code that that table shows; empty to begin a game here."""

    seat: Seat
    code: Annotated[str, Meta(max_length=_LONGEST_CODE)] = ""


class BeginBody(Body):
    """The arrangement of the next game."""

    distinct = ("market",)
    players: tuple[PlayerName, PlayerName]
    colours: tuple[_Colour, _Colour]
    first_seat: Seat
    edition: Edition
    rules: RuleProfile
    circle: CircleSource
    market: Circuit | None = None
    robot: RobotBody | None = None
    friend: FriendBody | None = None
    language: LanguageCode | None = None
    leave: bool = False


def _begin(asking: Asking[BeginBody]) -> GameRequest:
    body = asking.body
    arrangement = PatchworkArrangement(
        players=body.players,
        colours=body.colours,
        first_seat=body.first_seat,
        edition=body.edition,
        rules=body.rules,
        circle=body.circle,
        market=body.market,
        robot=None
        if body.robot is None
        else Robot(body.robot.seat, level_named(body.robot.level), body.robot.handicap),
        friend=None if body.friend is None else _friend(body.friend),
    )
    return GameRequest(arrangement, body.language, body.leave)


def _friend(body: FriendBody) -> Friend:
    """Return the friend of a request.

    Raises:
        ArrangementError: the code is none.
    """
    try:
        return Friend(body.seat, code_in(body.code) if body.code else "")
    except NoPartnerError as error:
        raise ArrangementError(full_stop(error)) from error


def offer(offered: SetupOffer) -> Json:
    """Return the arrangement of the next game, and what may be chosen."""
    return {
        "next": _chosen(offered),
        "palette": [{"name": name, "colour": colour} for name, colour in COLOURS.items()],
        "editions": [*Edition],
        "rules": [*RuleProfile],
        "circles": [*CircleSource],
        "levels": [*LEVEL_CHOICES],
        "lies_there": offered.lies_there,
    }


def _chosen(offered: SetupOffer) -> Json:
    chosen: PatchworkArrangement = offered.chosen
    return {
        "players": [render(name, offered.reader) for name in chosen.players],
        "colours": list(chosen.colours),
        "first_seat": chosen.first_seat,
        "edition": chosen.edition.value,
        "rules": chosen.rules.value,
        "circle": chosen.circle.value,
        "robot": None if chosen.robot is None else _robot(chosen.robot),
        "friend": None if chosen.friend is None else {"seat": chosen.friend.seat, "code": ""},
        "language": offered.language,
    }


def _robot(robot: Robot) -> Json:
    return {"seat": robot.seat, "level": str(robot.level), "handicap": robot.handicap}


class DealBody(Body):
    """The circle to lay out; absent to shuffle one."""

    distinct = ("market",)
    market: Circuit | None = None


def _deal(asking: Asking[DealBody]) -> Json:
    """Return how to lay a circle out, a handful of patches at a time."""
    market = asking.body.market or dealt_market()
    steps = [step.to_json(asking.language) for step in deal_steps(market)]
    return {"market": list(market), "steps": steps}


class Overridden(Body):
    """A correction of the reading of a seat's quilt."""

    distinct = ("cells",)
    seat: Seat
    cells: Cells
    patch: Patch | None = None


class PatchBody(Body):
    """A patch."""

    patch: Patch


def _override(asking: Asking[Overridden]) -> Order:
    return Order(Override(asking.body.seat, mask_of(asking.body.cells), asking.body.patch))


def _name(asking: Asking[PatchBody]) -> Order:
    return Order(NamePatch(asking.body.patch))


def box_json() -> Json:
    """Return the contents of the box as JSON: all patches and the button tokens."""
    patches = [
        {
            "id": patch.id,
            "cells": [list(cell) for cell in patch.cells],
            "buttons": patch.buttons,
            "time": patch.time,
            "income": patch.income,
        }
        for patch in PATCHES.values()
    ]
    return {"patches": patches, "denominations": list(DENOMINATIONS)}


ROUTES: Final[tuple[GameRoute[Any], ...]] = (
    GameRoute("/api/setup/begin", _begin, BeginBody),
    GameRoute("/api/setup/deal", _deal, DealBody),
    GameRoute("/api/box", lambda _: box_json(), need=Need.NOTHING),
    GameRoute("/api/override", _override, Overridden),
    GameRoute("/api/name", _name, PatchBody),
)


def _visibility(watch: TableWatch) -> Visibility:
    return Visibility(camera=True, boards_seen=watch.ready, in_view=tuple(sorted(watch.places)))


def _outlines(watch: TableWatch) -> dict[int, Any]:
    return {seat: place(GRID_CORNERS).round(1).tolist() for seat, place in watch.places.items()}


def _desk(publish: Publish) -> CircleDesk:
    desk = CircleDesk()

    def lay_out(laid: LaidOut | None) -> None:
        # Read now, because the text is written later, in each reader's language.
        share = desk.share
        publish(lambda language: circle.desk_json(laid, share, language))

    desk.follow(lay_out)
    return desk


PATCHWORK_PAGE: Final = GamePage(
    codec=PATCHWORK,
    title=said("Patchwork"),
    state=State,
    words=sentences,
    turn_words=turn_sentence,
    opened=snapshot.opened,
    after=snapshot.after,
    snapshot=snapshot.snapshot_json,
    archive=archive.ARCHIVE,
    waiting_for=snapshot.waiting_for,
    has_boards=True,
    outlines=_outlines,
    visibility=_visibility,
    exposure=exposure_of,
    desk=_desk,
    silence=circle.silence,
    routes=(*circle.ROUTES, *ROUTES, *by_hand.ROUTES, *archive.ROUTES),
    virtual=by_hand.VIRTUAL,
    offer=offer,
    colours=snapshot.colours_of,
)
"""Patchwork's side of the page."""
