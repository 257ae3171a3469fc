"""A seen circle with the answers so far: users confirm or correct doubtful places until it is settled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final, TypeAlias

from companion.errors import CompanionError
from companion.games.patchwork.components import PATCHES, SMALLEST_PATCH
from companion.languages import Label, all_of, any_of, counted, said
from companion.patchwork.circle.seen import CircleSighting, SeenMarket, UnclearStretch
from companion.patchwork.naming import NAMES, patch_named, patch_names


class AnswerError(CompanionError):
    """Raised for an impossible answer about the circle; the message is a sentence for the user."""


@dataclass(frozen=True, slots=True)
class PlaceIs:
    """The answer that a patch lies in a place, counted from 1; None means that no patch of the game does."""

    place: int
    patch: str | None


@dataclass(frozen=True, slots=True)
class PlaceRight:
    """The answer that a place, counted from 1, was seen correctly."""

    place: int


@dataclass(frozen=True, slots=True)
class LiesBehind:
    """The answer that an unseen patch lies clockwise behind a place, and behind earlier answers for it."""

    place: int
    patch: str


@dataclass(frozen=True, slots=True)
class RunsSo:
    """The answer that an unclear stretch, by its first place from 1, runs in the order of an index into its `ways`."""

    place: int
    way: int


@dataclass(frozen=True, slots=True)
class AllRight:
    """The answer that all places were seen correctly."""


CircleAnswer: TypeAlias = PlaceIs | PlaceRight | LiesBehind | RunsSo | AllRight
WAY_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
"""The letters that denote the orders of a stretch at a terminal, in sequence."""
AN_ANSWER: Final = said("{place} {patch}", place="7", patch=NAMES["tee"])
"""An example of a line that names what lies in a place."""
ONE_BEHIND: Final = said("{place} {patch}", place="7+", patch=NAMES["tee"])
"""An example of a line that names a patch behind one."""
# The most digits of a place's number: `int` refuses thousands of them with an error of its own.
_MOST_DIGITS: Final = 4


def parse_answer(line: str) -> CircleAnswer:
    """Parse a line typed at a terminal: `7 small T`, `7 none`, `7 ok`, `7+ small T`, `7 b` or `ok`.

    Raises:
        AnswerError: the line has none of these forms.
    """
    place, _, says = line.strip().partition(" ")
    if not says and place.lower() == "ok":
        return AllRight()
    number = place.removesuffix("+")
    if not says or not (number.isascii() and number.isdigit() and len(number) <= _MOST_DIGITS):
        raise AnswerError.said(
            'Say "{place}" for what lies there, "{behind}" for a patch that lies behind it, "ok" if all is right.',
            place=AN_ANSWER,
            behind=ONE_BEHIND,
        )
    return _parse_place(int(number), says.strip().lower(), behind=place.endswith("+"))


def _parse_place(place: int, word: str, *, behind: bool) -> CircleAnswer:
    patch = patch_named(word) or word
    if behind:
        return LiesBehind(place, patch)
    if word == "ok":
        return PlaceRight(place)
    if len(word) == 1 and word in WAY_LETTERS:
        return RunsSo(place, WAY_LETTERS.index(word))
    return PlaceIs(place, None if word == "none" else patch)


# Probability, among the patches left for a place, from which the likeliest counts as certain.
_CERTAIN: Final = 0.95
_MOST_NAMED: Final = 6
_MOST_ASKED: Final = 3


class Certainty(StrEnum):
    """The certainty of the patch in a place.

    SURE: it was seen, or follows from answers. DOUBTFUL: a user should check it. ANSWERED: a user did.
    """

    SURE = "sure"
    DOUBTFUL = "doubtful"
    ANSWERED = "answered"


@dataclass(frozen=True, slots=True)
class CirclePlace:
    """A place of the circle and what is known of it.

    Attributes:
        number: from 1, in the order in which the camera saw the places.
        patch: its patch, or None if that is unknown, or no patch lies there.
        candidates: the possible patches, the likeliest first, without those that a user has placed elsewhere.
    """

    number: int
    patch: str | None
    certainty: Certainty
    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """A seen circle with a user's answers so far.

    Attributes:
        seen: the circle as the camera saw it.
        answers: by place, from 1, the patch that lies there, or None for no patch.
        behind: the patches that were not seen, each with the place after which it lies, clockwise.
        ways: by the first place of an unclear stretch, the index of the order of its pieces.
    """

    seen: SeenMarket
    answers: Mapping[int, str | None] = field(default_factory=dict)
    behind: tuple[tuple[int, str], ...] = ()
    ways: Mapping[int, int] = field(default_factory=dict)

    @property
    def places(self) -> tuple[CirclePlace, ...]:
        """All places, clockwise."""
        answered = self._answered
        open_ = {number: piece for number, piece in enumerate(self.seen.pieces, start=1) if number not in self.answers}
        displayed = {number: piece.patch for number, piece in open_.items() if piece.patch not in answered}
        # Sure places stay; a place whose likelier names were given elsewhere gets the patch left over for it alone.
        left = {number: self._left_over(piece) for number, piece in open_.items() if not _is_sure(piece, answered)}
        wanted = Counter(
            [*displayed.values(), *(name for number, name in left.items() if displayed.get(number) != name)]
        )
        alone = {number: name for number, name in left.items() if name is not None and wanted[name] == 1}
        return tuple(
            self._place(number, piece, alone.get(number), displayed.get(number))
            for number, piece in enumerate(self.seen.pieces, start=1)
        )

    @property
    def doubtful(self) -> tuple[CirclePlace, ...]:
        """The places that a user should check."""
        return tuple(place for place in self.places if place.certainty is Certainty.DOUBTFUL)

    @property
    def order(self) -> tuple[str, ...]:
        """The known patches, clockwise, including doubtful ones."""
        order: list[str] = []
        places = self.places
        for number in self.sequence:
            patch = places[number - 1].patch
            order += [] if patch is None else [patch]
            order += [behind for before, behind in self.behind if before == number]
        return tuple(order)

    @property
    def sequence(self) -> tuple[int, ...]:
        """The numbers of the places in the order of their pieces, by the answers about unclear stretches.

        If the smallest patch determines where the circle begins, its place is the last.
        """
        return self._along(self.ways)

    @property
    def sequences(self) -> tuple[tuple[int, ...], ...]:
        """The possible orders: the likeliest, then those in which one unclear stretch has another order."""
        others = (
            self._along({**self.ways, stretch.places[0]: way})
            for stretch in self.unclear
            for way in range(1, len(stretch.ways))
        )
        return tuple(self._by_names(sequence) for sequence in (self.sequence, *others))

    @property
    def unclear(self) -> tuple[UnclearStretch, ...]:
        """The stretches whose order a user should check."""
        return tuple(
            stretch
            for stretch in self.seen.unclear
            if stretch.places[0] not in self.ways and not self.answers.keys() >= {*stretch.places}
        )

    def _by_names(self, sequence: tuple[int, ...]) -> tuple[int, ...]:
        """Return a sequence corrected by answers that exchange the places of pieces with sure names."""
        sure = {piece.patch: number for number, piece in enumerate(self.seen.pieces, start=1) if piece.sure}
        named = tuple(sure.get(self.answers.get(number), number) for number in sequence)
        return named if sorted(named) == sorted(sequence) else sequence

    def _along(self, ways: Mapping[int, int]) -> tuple[int, ...]:
        sequence = list(range(1, len(self.seen.pieces) + 1))
        for stretch in self.seen.unclear:
            for place, number in zip(stretch.places, stretch.ways[ways.get(stretch.places[0], 0)], strict=True):
                sequence[place - 1] = number
        last = next((n for n, piece in enumerate(self.seen.pieces, start=1) if piece.patch == SMALLEST_PATCH), None)
        begin = 0 if last is None or self.seen.begins != "domino" else sequence.index(last) + 1
        return (*sequence[begin:], *sequence[:begin])

    @property
    def missing(self) -> tuple[str, ...]:
        """The patches of the box that are not placed yet."""
        known = set(self.order)
        return tuple(patch for patch in PATCHES if patch not in known)

    @property
    def settled(self) -> bool:
        """True once no place needs an answer."""
        return not self.doubtful and not self.missing

    def market(self) -> tuple[str, ...] | None:
        """Return the circle for records, the smallest patch last (rulebook, setup), or None if it is not settled."""
        if not self.settled:
            return None
        order = self.order
        begin = order.index(SMALLEST_PATCH) + 1
        return (*order[begin:], *order[:begin])

    def reopened(self) -> Proposal:
        """Return the proposal without the answers about the order of unclear stretches, one of which was wrong."""
        unclear = {place for stretch in self.seen.unclear for place in stretch.places}
        kept = {place: patch for place, patch in self.answers.items() if place not in unclear}
        return replace(self, answers=kept, ways={})

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `companion market --confirm --json`: the seen circle with the user's answers."""
        places = self.places
        pieces = [
            {**piece.to_json(), "id": place.patch, "doubtful": place.certainty is Certainty.DOUBTFUL}
            for piece, place in zip(self.seen.pieces, places, strict=True)
        ]
        return {
            **self.seen.to_json(),
            "complete": self.settled,
            "market": list(self.market() or (place.patch for place in places)),
            "doubtful": [
                {"place": place.number, "candidates": list(place.candidates or self.missing)} for place in self.doubtful
            ],
            "missing": list(self.missing),
            "pieces": pieces,
        }

    def after(self, answer: CircleAnswer) -> Proposal:
        """Return the proposal with a further answer.

        Raises:
            AnswerError: the answer is impossible.
        """
        match answer:
            case PlaceIs(place=place, patch=patch):
                self._check(place, patch)
                kept = self._without(patch)
                return replace(kept, answers={**kept.answers, place: patch})
            case PlaceRight(place=place):
                return self._confirmed(place)
            case LiesBehind(place=place, patch=patch):
                self._check(place, patch)
                kept = self._without(patch)
                return replace(kept, behind=(*kept.behind, (place, patch)))
            case RunsSo(place=place, way=way):
                return self._running(place, way)
            case AllRight():
                return self._all_right()

    @property
    def _answered(self) -> frozenset[str]:
        """The patches whose place a user has given."""
        answered = {patch for patch in self.answers.values() if patch is not None}
        return frozenset(answered | {patch for _, patch in self.behind})

    def _place(self, number: int, piece: CircleSighting, left: str | None, displayed: str | None) -> CirclePlace:
        others = [other for stretch in self.unclear for other in stretch.at(number)]
        candidates = (*self._candidates(piece), *self.seen.named_at(others))
        if number in self.answers:
            return CirclePlace(number, self.answers[number], Certainty.ANSWERED, candidates)
        if any(number in stretch.places for stretch in self.unclear):
            return CirclePlace(number, left or displayed, Certainty.DOUBTFUL, candidates)
        if left is not None:
            return CirclePlace(number, left, Certainty.SURE, candidates)
        is_sure = piece.sure and displayed is not None
        return CirclePlace(number, displayed, Certainty.SURE if is_sure else Certainty.DOUBTFUL, candidates)

    def _candidates(self, piece: CircleSighting) -> tuple[str, ...]:
        answered = self._answered
        return tuple(patch for patch in piece.candidates if patch not in answered)

    def _left_over(self, piece: CircleSighting) -> str | None:
        """Return the only patch left for a place after the user's answers, or None if there are several."""
        answered = self._answered
        left = {patch: chance for patch, chance in piece.chances if patch not in answered}
        # As long as no candidate was given elsewhere, nothing follows from the answers.
        if not left or len(left) == len(piece.chances):
            return None
        likeliest = max(left, key=lambda patch: left[patch])
        unknown = max(0.0, 1 - sum(chance for _, chance in piece.chances))
        return likeliest if left[likeliest] >= _CERTAIN * (sum(left.values()) + unknown) else None

    def _check(self, place: int, patch: str | None) -> None:
        if not 1 <= place <= len(self.seen.pieces):
            last = len(self.seen.pieces)
            raise AnswerError.said("There is no place {place}: places go from 1 to {last}.", place=place, last=last)
        if patch is not None and patch not in PATCHES:
            raise AnswerError.said("There is no patch {patch}.", patch=patch)

    def _without(self, patch: str | None) -> Proposal:
        """Return the proposal without answers that place this patch elsewhere."""
        if patch is None:
            return self
        answers = {place: known for place, known in self.answers.items() if known != patch}
        return replace(self, answers=answers, behind=tuple(each for each in self.behind if each[1] != patch))

    def _running(self, place: int, way: int) -> Proposal:
        """Return the proposal with a stretch in one of its orders."""
        stretch = next((stretch for stretch in self.seen.unclear if stretch.places[0] == place), None)
        if stretch is None:
            raise AnswerError.said("The order after place {place} is certain.", place=place)
        if way >= len(stretch.ways):
            last = WAY_LETTERS[len(stretch.ways) - 1]
            raise AnswerError.said(
                "From place {place} on, the possible orders are a to {last}.", place=place, last=last
            )
        return replace(self, ways={**self.ways, place: way})

    def _confirmed(self, number: int) -> Proposal:
        self._check(number, None)
        place = self.places[number - 1]
        if place.patch is None and place.certainty is Certainty.DOUBTFUL:
            raise AnswerError.said("Place {place} has no name yet: say which patch lies there.", place=number)
        return replace(self, answers={**self.answers, number: place.patch})

    def _all_right(self) -> Proposal:
        unnamed = [str(place.number) for place in self.doubtful if place.patch is None]
        if unnamed:
            raise AnswerError.said("These places have no name yet: {places}.", places=all_of(unnamed))
        if self.missing:
            raise AnswerError(self.wanting())
        answers = {**self.answers, **{place.number: place.patch for place in self.doubtful}}
        return replace(self, answers=answers, ways={**{each.places[0]: 0 for each in self.seen.unclear}, **self.ways})

    def wanting(self) -> str:
        """Return a sentence on the patches that are not placed yet.

        Raises:
            ValueError: all patches are placed.
        """
        if len(self.missing) > _MOST_NAMED:
            count = len(self.missing)
            return counted("{count} patch has no place yet.", "{count} patches have no place yet.", count)
        return said("These patches have no place yet: {patches}.", patches=all_of(patch_names(self.missing)))


def _is_sure(piece: CircleSighting, answered: Collection[str]) -> bool:
    return piece.sure and piece.patch is not None and piece.patch not in answered


def question(places: Sequence[CirclePlace]) -> str:
    """Return a sentence on which places to check, with their candidates if they are few.

    Raises:
        ValueError: there are no places.
    """
    named = [
        said("{place}: {patches}", place=place.number, patches=any_of(patch_names(place.candidates[:3])))
        for place in places
        if place.candidates
    ]
    # As one line of news, more than a few cannot be followed.
    return all_of(named if 0 < len(named) <= _MOST_ASKED else [Label(place.number) for place in places])
