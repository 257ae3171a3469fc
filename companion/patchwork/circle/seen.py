"""The circle read from a picture: its pieces, their order, and doubts."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.patchwork.components import PATCHES
from companion.languages import said
from companion.pictures import disc, polyline
from vision.reductions import LEAST_WIDTH_PX, enlarged

# Greatest probability of any patch below which a piece is none, if all patches have been named elsewhere.
_HARDLY: Final = 0.05


@dataclass(frozen=True, slots=True)
class UnclearStretch:
    """Neighbouring places whose pieces may have several orders.

    Attributes:
        ways: the possible orders, the likeliest first, each as the numbers, from 1, of the places at which the pieces
            were seen; the first is the order as it was seen.
    """

    ways: tuple[tuple[int, ...], ...]

    @property
    def places(self) -> tuple[int, ...]:
        """The numbers of its places, from 1, clockwise."""
        return self.ways[0]

    def at(self, place: int) -> tuple[int, ...]:
        """Return the other places whose pieces may belong at `place`; empty if that is outside the stretch."""
        if place not in self.places:
            return ()
        here = self.places.index(place)
        return tuple(dict.fromkeys(way[here] for way in self.ways[1:] if way[here] != place))


@dataclass(frozen=True, slots=True, eq=False)
class CircleSighting:
    """One piece of the circle.

    Attributes:
        patch: the patch's id, or None if the piece could not be identified.
        outline_px: the corners of its outline in the picture, shape (n, 2).
        centre_px: (x, y) of its middle in the picture.
        chances: the probability of each patch, most likely first; the remainder to 1 is for none of them.
        sure: whether its name is reliable.
        whole: whether all of it is in the picture.
        touching: the numbers of the pieces that it touches or that lie on it.
    """

    patch: str | None
    outline_px: NDArray[np.float64]
    centre_px: tuple[float, float]
    chances: tuple[tuple[str, float], ...]
    sure: bool
    whole: bool = True
    touching: tuple[int, ...] = ()

    @property
    def confidence(self) -> float:
        """The probability of its name, 0..1."""
        return dict(self.chances).get(self.patch or "", 0.0)

    @property
    def candidates(self) -> tuple[str, ...]:
        """The possible patches, the likeliest first."""
        return tuple(patch for patch, _ in self.chances)

    def moved(self, to_picture: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> "CircleSighting":
        """Return the piece as seen in another picture; `to_picture` maps points of this one, (n, 2), to it."""
        x, y = to_picture(np.array([self.centre_px]))[0].tolist()
        return replace(self, outline_px=to_picture(self.outline_px), centre_px=(x, y))

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `companion market --json`."""
        return {
            "id": self.patch,
            "outline_px": [[round(float(x), 1), round(float(y), 1)] for x, y in self.outline_px],
            "confidence": round(self.confidence, 4),
            "doubtful": not self.sure,
            "whole": self.whole,
            "touching": list(self.touching),
        }


@dataclass(frozen=True, slots=True)
class Doubt:
    """A place of the circle to check: its number in the order, from 1, and its possible patches."""

    place: int
    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SeenMarket:
    """The circle as it was read.

    Attributes:
        pieces: the pieces, clockwise, beginning with the one after the neutral token.
        token_px: (x, y) of the neutral token in the picture, or None if it is not seen.
        begins: "token", "domino", or "nowhere" if neither is seen: the order is right then, but not its beginning.
        unclear: the stretches whose pieces may have another order.
    """

    pieces: tuple[CircleSighting, ...]
    token_px: tuple[float, float] | None
    begins: str
    unclear: tuple[UnclearStretch, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """The sentences on what to correct."""
        if not self.pieces:
            return (said("No patches are seen: is the circle laid out, and in the picture?"),)
        notes = []
        if not all(piece.whole for piece in self.pieces):
            notes.append(said("Some patches are partly outside the picture: move them in, or move the camera up."))
        if self.begins == "nowhere":
            notes.append(
                said(
                    "Neither the neutral token nor the smallest patch is seen, "
                    "so it is not known where the circle begins."
                )
            )
        return tuple(notes)

    @property
    def names(self) -> tuple[str, ...]:
        """The named patches in order, including doubtful ones."""
        return tuple(piece.patch for piece in self.pieces if piece.patch is not None)

    @property
    def missing(self) -> tuple[str, ...]:
        """The patches of the box that were not named."""
        named = set(self.names)
        return tuple(patch for patch in PATCHES if patch not in named)

    @property
    def complete(self) -> bool:
        """True if all patches were named, there are no other pieces, and the circle's beginning is known."""
        return not self.missing and len(self.pieces) == len(PATCHES) and self.begins != "nowhere"

    @property
    def doubtful(self) -> tuple[Doubt, ...]:
        """The places to check: for their names, or because a neighbour may precede them."""
        others = {place: stretch.at(place) for stretch in self.unclear for place in stretch.places}
        return tuple(
            Doubt(place, (*piece.candidates, *self.named_at(others.get(place, ()))) or self.missing)
            for place, piece in enumerate(self.pieces, start=1)
            if not piece.sure or place in others
        )

    def named_at(self, places: Iterable[int]) -> tuple[str, ...]:
        """Return the named patches of some places, counted from 1."""
        return tuple(patch for place in places if (patch := self.pieces[place - 1].patch) is not None)

    def market(self) -> tuple[str, ...] | None:
        """Return the whole circle for records, or None if it is not complete."""
        return self.names if self.complete else None

    def moved(self, to_picture: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> "SeenMarket":
        """Return the circle as seen in another picture; `to_picture` maps points of this one, (n, 2), to it."""
        pieces = tuple(piece.moved(to_picture) for piece in self.pieces)
        token = None if self.token_px is None else to_picture(np.array([self.token_px]))[0].tolist()
        return replace(self, pieces=pieces, token_px=None if token is None else (token[0], token[1]))

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `companion market --json`."""
        return {
            "complete": self.complete,
            "market": [piece.patch for piece in self.pieces],
            "doubtful": [{"place": doubt.place, "candidates": list(doubt.candidates)} for doubt in self.doubtful],
            "unclear": [stretch.ways for stretch in self.unclear],
            "missing": list(self.missing),
            "begins": self.begins,
            "token_px": None if self.token_px is None else [round(value, 1) for value in self.token_px],
            "pieces": [piece.to_json() for piece in self.pieces],
            "notes": list(self.notes),
        }


def strangers(pieces: Sequence[CircleSighting]) -> frozenset[int]:
    """Return the numbers of unnamed pieces that are no patches, because all patches are named and these hardly fit.

    The 7x7 tile, for instance, lies beside the circle.
    """
    if set(PATCHES) - {piece.patch for piece in pieces}:
        return frozenset()
    nameless = (number for number, piece in enumerate(pieces) if piece.patch is None)
    return frozenset(n for n in nameless if max((chance for _, chance in pieces[n].chances), default=0.0) < _HARDLY)


def with_last_named(pieces: Sequence[CircleSighting]) -> list[CircleSighting]:
    """Return the pieces of a whole circle; a single unnamed one gets the patch left over, as a doubtful name."""
    missing = set(PATCHES) - {piece.patch for piece in pieces}
    nameless = [number for number, piece in enumerate(pieces) if piece.patch is None]
    if len(pieces) != len(PATCHES) or len(missing) != 1 or len(nameless) != 1:
        return list(pieces)
    named, number, last = list(pieces), nameless[0], missing.pop()
    if pieces[number].whole:
        chance = dict(pieces[number].chances).get(last, 0.0)
        named[number] = replace(pieces[number], patch=last, chances=((last, chance),))
    return named


_SURE: Final = (96, 190, 60)
_DOUBT: Final = (0, 150, 255)
_UNKNOWN: Final = (70, 60, 230)
_INK: Final = (40, 30, 25)
_PAPER: Final = (250, 250, 250)
_FONT: Final = cv2.FONT_HERSHEY_DUPLEX
# Height of a name's digits in a picture of the least width.
_TEXT_PX: Final = 11.0


def draw_market(image: NDArray[np.uint8], market: SeenMarket) -> NDArray[np.uint8]:
    """Draw the pieces' outlines, places and names over the picture; return it, enlarged if it is small.

    Sure pieces have a green outline; pieces whose name or place is in doubt have an orange one and a question mark;
    unnamed pieces have a red one.
    """
    picture, scale = enlarged(image)
    doubtful = {doubt.place for doubt in market.doubtful}
    colours = [_colour(piece, sure=place not in doubtful) for place, piece in enumerate(market.pieces, start=1)]
    for piece, colour in zip(market.pieces, colours, strict=True):
        polyline(picture, piece.outline_px * scale, (5, _INK), (3, colour))
    if market.token_px is not None:
        for width_px, colour in ((6, _INK), (3, _PAPER)):
            disc(picture, np.array(market.token_px) * scale, 16, colour, width_px)
    # After all outlines, so that none of them crosses a name.
    for place, (piece, colour) in enumerate(zip(market.pieces, colours, strict=True), start=1):
        title = _title(piece, sure=place not in doubtful)
        _plate(picture, np.array(piece.centre_px) * scale, f"{place} {title}", colour)
    return picture


def _colour(piece: CircleSighting, *, sure: bool) -> Sequence[int]:
    if piece.patch is None:
        return _UNKNOWN
    return _SURE if sure else _DOUBT


def _title(piece: CircleSighting, *, sure: bool) -> str:
    if piece.patch is None:
        return "?" if piece.whole else "cut off"
    return piece.patch if sure else f"{piece.patch}?"


def _plate(picture: NDArray[np.uint8], middle: NDArray[np.float64], text: str, colour: Sequence[int]) -> None:
    """Draw a name on a plate within the picture."""
    height, width = picture.shape[:2]
    tall = _TEXT_PX * width / LEAST_WIDTH_PX
    size = tall / cv2.getTextSize("8", _FONT, 1.0, 1)[0][1]
    (wide, _), _ = cv2.getTextSize(text, _FONT, size, 1)
    box = np.array([wide + tall, 2 * tall])
    left, top = np.clip(middle - box / 2, 0, np.maximum(np.array([width, height]) - box, 0))
    cv2.rectangle(picture, _whole([left, top]), _whole([left + box[0], top + box[1]]), _INK, -1)
    cv2.rectangle(picture, _whole([left, top]), _whole([left + box[0], top + box[1]]), colour, 1)
    cv2.putText(picture, text, _whole([left + tall / 2, top + 1.5 * tall]), _FONT, size, _PAPER, 1, cv2.LINE_AA)


def _whole(point: Sequence[float] | NDArray[np.float64]) -> tuple[int, int]:
    x, y = np.rint(np.asarray(point, np.float64)).astype(int).tolist()
    return x, y
