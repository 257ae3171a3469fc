"""The text form of a seen circle with the answers, for storage."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from companion.games.patchwork import PATCHES
from companion.patchwork.circle.confirming.proposal import Proposal
from companion.patchwork.circle.order.unclear_stretches import UnclearStretch
from companion.patchwork.circle.piece import CircleSighting
from companion.patchwork.circle.seen import SeenMarket

if TYPE_CHECKING:
    from collections.abc import Iterable

_FORMAT: Final = 2


def proposal_text(proposal: Proposal) -> str:
    """Return a proposal as one line of JSON."""
    seen = proposal.seen
    return json.dumps(
        {
            "format": _FORMAT,
            "pieces": [_piece_json(piece) for piece in seen.pieces],
            "token": seen.token_px,
            "begins": seen.begins,
            "notes": seen.notes,
            "answers": [[place, patch] for place, patch in proposal.answers.items()],
            "behind": proposal.behind,
            "unclear": [stretch.ways for stretch in seen.unclear],
            "ways": [[place, way] for place, way in proposal.ways.items()],
        },
        separators=(",", ":"),
    )


def proposal_of(text: str) -> Proposal:
    """Return the proposal that `proposal_text` wrote.

    Raises:
        ValueError: the text is invalid, or of another version.
    """
    try:
        return _proposal(json.loads(text))
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise ValueError(f"no circle that was kept: {error}") from error


def _piece_json(piece: CircleSighting) -> dict[str, Any]:
    return {
        "patch": piece.patch,
        "outline": np.asarray(piece.outline_px, np.float64).tolist(),
        "centre": [float(each) for each in piece.centre_px],
        "chances": piece.chances,
        "sure": piece.sure,
        "whole": piece.whole,
        "touching": piece.touching,
    }


def _proposal(fields: dict[str, Any]) -> Proposal:
    if fields["format"] != _FORMAT:
        raise ValueError("a circle that another version has kept")
    x_y = fields["token"]
    seen = SeenMarket(
        tuple(_piece(each) for each in fields["pieces"]),
        None if x_y is None else (float(x_y[0]), float(x_y[1])),
        str(fields["begins"]),
        tuple(str(note) for note in fields["notes"]),
        tuple(_stretch(ways, len(fields["pieces"])) for ways in fields["unclear"]),
    )
    answers = {int(place): patch for place, patch in fields["answers"]}
    behind = tuple((int(place), str(patch)) for place, patch in fields["behind"])
    places = range(1, len(seen.pieces) + 1)
    if any(place not in places for place in (*answers, *(place for place, _ in behind))):
        raise ValueError("it speaks of places that there are not")
    _check([*answers.values(), *(patch for _, patch in behind), *(piece.patch for piece in seen.pieces)])
    known = {stretch.places[0]: len(stretch.ways) for stretch in seen.unclear}
    ways = {int(place): int(way) for place, way in fields["ways"]}
    if any(way not in range(known.get(place, 0)) for place, way in ways.items()):
        raise ValueError("it speaks of ways that there are not")
    return Proposal(seen, answers, behind, ways)


def _stretch(ways: list[list[int]], pieces: int) -> UnclearStretch:
    stretch = UnclearStretch(tuple(tuple(int(place) for place in way) for way in ways))
    if any(sorted(way) != sorted(stretch.places) for way in stretch.ways) or not stretch.places:
        raise ValueError("its ways are no orders of one stretch")
    if any(place not in range(1, pieces + 1) for place in stretch.places):
        raise ValueError("it speaks of places that there are not")
    return stretch


def _piece(fields: dict[str, Any]) -> CircleSighting:
    chances = tuple((str(patch), float(chance)) for patch, chance in fields["chances"])
    _check(patch for patch, _ in chances)
    x, y = fields["centre"]
    return CircleSighting(
        fields["patch"],
        np.array(fields["outline"], np.float64).reshape(-1, 2),
        (float(x), float(y)),
        chances,
        bool(fields["sure"]),
        bool(fields["whole"]),
        tuple(int(number) for number in fields["touching"]),
    )


def _check(patches: Iterable[str | None]) -> None:
    if any(patch is not None and patch not in PATCHES for patch in patches):
        raise ValueError("it speaks of patches that there are not")
