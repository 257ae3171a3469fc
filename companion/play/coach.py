"""The coach: each decision of a finished game beside the best that was found, and the turning points."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from companion.errors import CompanionError
from companion.games.strategy import Judged
from companion.languages import Sentence
from companion.play.game import AnyEntry, Coach
from companion.record import AnyCodec

# A smaller loss of winning chance is no turning point.
_LEAST: Final = 0.05
MOST: Final = 5
"""The number of turning points that are told."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A decision of a game with its judgement.

    Attributes:
        number: its number in the game, from 1.
        seat: the seat that decided.
        judged: its judgement, or None if there was nothing to decide.
    """

    number: int
    seat: int
    judged: Judged[Any] | None

    @property
    def loss(self) -> float:
        """The winning chance that the decision lost."""
        return 0.0 if self.judged is None else self.judged.loss

    @property
    def first_chance(self) -> float | None:
        """The winning chance of seat 1 after the decision, in a game for two."""
        if self.judged is None:
            return None
        return self.judged.chance if self.seat == 1 else 1 - self.judged.chance


def coach_of(entry: AnyEntry) -> Coach[Any, Any]:
    """Return what analyses a game.

    Raises:
        CompanionError: nothing does.
    """
    coach = None if entry.adviser is None else entry.adviser().coach
    if coach is None:
        raise CompanionError.said("games of {game} are not analysed", game=entry.title)
    return coach


def remarks(coach: Coach[Any, Any], codec: AnyCodec, setup: Any, decisions: Iterable[Any]) -> Iterator[Remark]:
    """Yield a remark on each decision of a game, as it is found."""
    play = codec.begin(setup)
    for number, decision in enumerate(decisions, start=1):
        yield Remark(number, decision.seat, coach.judge(play.state, decision))
        play.apply(decision)


def turning_points(found: Iterable[Remark]) -> list[Remark]:
    """Return the decisions that lost most, in the order of the game."""
    most = sorted((each for each in found if each.loss >= _LEAST), key=lambda each: -each.loss)[:MOST]
    return sorted(most, key=lambda each: each.number)


def explained(
    points: Iterable[Remark], coach: Coach[Any, Any], codec: AnyCodec, setup: Any, decisions: Sequence[Any]
) -> Iterator[tuple[Remark, Sentence]]:
    """Yield turning points, in the order of the game, with what would have been better."""
    play, made = codec.begin(setup), 0
    for point in points:
        for decision in decisions[made : point.number - 1]:
            play.apply(decision)
        made = point.number - 1
        if point.judged is not None:
            yield point, coach.explain(point.judged, play.state)


def mean_loss(found: Iterable[Remark], seat: int) -> float:
    """Return the winning chance that a seat's decisions lost on average."""
    losses = [each.loss for each in found if each.seat == seat and each.judged is not None]
    return sum(losses) / max(1, len(losses))


def to_json(remark: Remark, codec: AnyCodec) -> dict[str, Any]:
    """Return a remark as JSON."""
    judged, line = remark.judged, {"number": remark.number, "seat": remark.seat}
    if judged is None:
        return {**line, "decision": None}
    return {
        **line,
        "decision": codec.decision_to_json(judged.decision),
        "best": codec.decision_to_json(judged.best),
        "chance": round(judged.chance, 4),
        "best_chance": round(judged.best_chance, 4),
    }


def from_json(line: dict[str, Any], codec: AnyCodec) -> Remark:
    """Return a remark that `to_json` has written."""
    if line["decision"] is None:
        return Remark(line["number"], line["seat"], None)
    taken, best = codec.decision_from_json(line["decision"]), codec.decision_from_json(line["best"])
    return Remark(line["number"], line["seat"], Judged(taken, best, line["chance"], line["best_chance"]))
