"""Patchwork's section of the configuration: players, rules and the circle of patches."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.config.palette import COLOURS, USUAL
from companion.games.patchwork.components import Edition
from companion.games.patchwork.errors import SetupError
from companion.games.patchwork.state import RuleProfile, Setup
from companion.languages import ENGLISH, Language, all_of, render, said
from companion.settings import (
    Check,
    GameSettings,
    accepting,
    is_line,
    list_of,
    member,
    one_of,
    quoted,
    setting,
    texts,
    whole,
)

_names: Check[tuple[str, str]] = list_of(
    is_line,
    said("two names of {low} to {high} characters, such as {example}", low=1, high=40, example='["Anna", "Boris"]'),
    2,
    2,
)
_colours: Check[tuple[str, str]] = accepting(
    lambda value: isinstance(value, list) and len(value) == sum(value.count(name) == 1 for name in COLOURS) == 2,
    said("a list of two different ones of {names}", names=quoted(COLOURS)),
    tuple,
)


@dataclass(frozen=True, slots=True)
class PatchworkSettings(GameSettings):
    """The players, the rules, and the circle of patches."""

    section = "patchwork"
    title = said("Patchwork: who plays, and by which rules")

    players: tuple[str, str] = setting(
        (said("Anna"), said("Boris")), _names, said("The names of seat {first} and seat {last}.", first=1, last=2)
    )
    rules: RuleProfile = setting(
        RuleProfile.OFFICIAL,
        member(RuleProfile),
        said(
            "Who wins a tie: {official} (the first player on the last space) or {other} (the last).",
            official='"official"',
            other='"marker-on-top"',
        ),
    )
    edition: Edition = setting(
        Edition.ORIGINAL,
        member(Edition),
        said(
            "The printing of the time board: {original} (first leather patch just before space {early}) or "
            "{revised} (just before {late}).",
            original='"original"',
            early=20,
            revised='"revised"',
            late=26,
        ),
    )
    first_seat: int = setting(1, whole(1, 2), said("Who starts: seat {first} or {last}.", first=1, last=2))
    market: tuple[str, ...] | None = setting(
        None,
        texts,
        said("The circle of patches, clockwise from the neutral token; absent: unknown, so any patch may be taken."),
        '["bar3", ..., "domino"]',
    )

    circle: str = setting(
        "unknown",
        one_of("seen", "unknown"),
        said(
            "If {key} is absent: {seen} looks for the circle before the first move, {unknown} does not.",
            key="market",
            seen='"seen"',
            unknown='"unknown"',
        ),
    )
    colours: tuple[str, str] | None = setting(
        None,
        _colours,
        said(
            "The players’ colours on the page, the strip and the terminal: two of {names}; absent: {usual}.",
            names=", ".join(COLOURS),
            usual=all_of(USUAL),
        ),
        '["black", "white"]',
    )

    def setup(self, market: Sequence[str] | None = None, language: Language = ENGLISH) -> Setup:
        """Return the setup of a game.

        Args:
            market: the circle, if the configuration has none.
            language: of the names of players who have not chosen any.

        Raises:
            SetupError: if the circle is not a valid one.
        """
        circle = self.market if self.market is not None else market
        return Setup(
            rules=self.rules,
            edition=self.edition,
            players=(render(self.players[0], language), render(self.players[1], language)),
            first_seat=self.first_seat,
            market=None if circle is None else tuple(circle),
        )

    def check(self) -> None:
        """Raise ValueError if the keys contradict one another."""
        try:
            # The rules themselves decide what fits together, so that both never differ.
            self.setup()
        except SetupError as error:
            # It loads words of the wing, and every command reads the configuration.
            from companion.patchwork.refusals import fault  # noqa: PLC0415

            raise ValueError(fault(error)) from error
