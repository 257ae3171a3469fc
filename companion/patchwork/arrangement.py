"""The arrangement of a game: the players' choices for it, which replace the configuration's values."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, ClassVar, Final

from companion.config import Config
from companion.config.palette import COLOURS, USUAL
from companion.games.patchwork.components import PATCHES, SMALLEST_PATCH, START_BUTTONS, Edition
from companion.games.patchwork.state import RuleProfile, Setup
from companion.languages import ENGLISH, Language, in_turn, reason, render, said
from companion.patchwork.codec import PATCHWORK
from companion.patchwork.settings import PatchworkSettings
from companion.play.arrangement import LONGEST_NAME, ArrangementError, check_names
from companion.play.friend import Friend, with_friend
from companion.play.partner import Robot, robot_of, with_robot

HANDFUL: Final = 12
"""The number of patches shown at a time: as many as players can keep track of, and as fit on a screen."""


@dataclass(frozen=True, slots=True)
class DealtPatch:
    """One patch to lay out: its place in the circle, from 1, its cells (row, column) from 0, and its figures."""

    place: int
    patch: str
    cells: tuple[tuple[int, int], ...]
    buttons: int
    time: int
    income: int


@dataclass(frozen=True, slots=True)
class DealStep:
    """The patches to lay out in one step, in the order in which they are laid."""

    number: int
    count: int
    patches: tuple[DealtPatch, ...]
    says: str

    def to_json(self, language: Language = ENGLISH) -> dict[str, Any]:
        """Return the step as JSON for the page, in the reader's language."""
        return {
            "number": self.number,
            "count": self.count,
            "says": render(self.says, language),
            "patches": [
                {
                    "place": dealt.place,
                    "patch": dealt.patch,
                    "cells": [list(cell) for cell in dealt.cells],
                    "buttons": dealt.buttons,
                    "time": dealt.time,
                    "income": dealt.income,
                }
                for dealt in self.patches
            ],
        }


def dealt_market(seed: int | None = None) -> tuple[str, ...]:
    """Return a circle shuffled by a seed, or at random, clockwise; the smallest patch is last (rulebook, setup)."""
    rng = random.SystemRandom() if seed is None else random.Random(seed)
    others = [patch for patch in PATCHES if patch != SMALLEST_PATCH]
    rng.shuffle(others)
    return (*others, SMALLEST_PATCH)


def deal_steps(market: Sequence[str], handful: int = HANDFUL) -> tuple[DealStep, ...]:
    """Return the steps to lay a circle out: clockwise round the time board, several patches at a time.

    Args:
        market: patch ids, clockwise from the neutral token.
        handful: patches per step, at least 1.

    Raises:
        KeyError: a patch id is unknown.
        ValueError: `handful` is less than 1.
    """
    if handful < 1:
        raise ValueError(f"a handful is at least one patch, not {handful}")
    dealt = [_dealt(place, patch) for place, patch in enumerate(market, start=1)]
    parts = [tuple(dealt[start : start + handful]) for start in range(0, len(dealt), handful)]
    return tuple(
        DealStep(number, len(parts), part, _sentence(number, len(parts), part)) for number, part in enumerate(parts, 1)
    )


def _dealt(place: int, patch: str) -> DealtPatch:
    values = PATCHES[patch]
    return DealtPatch(place, patch, tuple(sorted(values.cells)), values.buttons, values.time, values.income)


def _sentence(number: int, count: int, part: Sequence[DealtPatch]) -> str:
    first, last = part[0].place, part[-1].place
    span = said("{first} to {last}", first=first, last=last) if len(part) > 1 else said("{number}", number=first)
    if number == 1:
        says = said("Lay these patches clockwise round the time board: {span}.", span=span)
    else:
        says = said("Continue clockwise with these: {span}.", span=span)
    if number < count:
        return says
    token = said("Then put the neutral token after the last one, so that it is just before patch 1.")
    return in_turn([says, token])


_COLOURS_NOTE: Final = "colours"
_PRESSES_NOTE: Final = "presses"
_CIRCLE_NOTE: Final = "circle"
# The configuration's word for a circle that lies on a simulated table but is unknown to the companion.
_HIDDEN: Final = "hidden"


class CircleSource(StrEnum):
    """The source of the companion's knowledge of the circle of patches on the table.

    DEALT: from the setup. SEEN: from a look before the first move. UNKNOWN: there is none, and any patch still in the
    box may be bought.
    """

    DEALT = "dealt"
    SEEN = "seen"
    UNKNOWN = "unknown"


class Presses(StrEnum):
    """The decisions that players press a button for.

    EACH: all of them. ADVANCE: advances alone, hands-free. NONE: hands-free, with the time board followed.
    """

    EACH = "each"
    ADVANCE = "advance"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class PatchworkArrangement:
    """The players, colours, printing and circle with which a game of Patchwork begins.

    Attributes:
        players: the names of seat 1 and seat 2.
        colours: the players' colours, keys of `companion.config.palette.COLOURS`.
        first_seat: the seat that begins, 1 or 2.
        circle: how the companion knows the circle of patches.
        market: the circle, clockwise from the neutral token, or None if it is dealt at random or unknown.
        robot: the robot at one of the seats, or None if there is none.
        friend: a friend at another table at one of the seats, or None if there is none; the circle is dealt then.

    Raises:
        ArrangementError: no game can begin with this arrangement.
    """

    players: tuple[str, str]
    colours: tuple[str, str] = USUAL
    first_seat: int = 1
    edition: Edition = Edition.ORIGINAL
    rules: RuleProfile = RuleProfile.OFFICIAL
    circle: CircleSource = CircleSource.UNKNOWN
    market: tuple[str, ...] | None = None
    robot: Robot | None = None
    friend: Friend | None = None
    game: ClassVar[str] = PATCHWORK.name

    def __post_init__(self) -> None:
        """Raise ArrangementError if no game can begin with this arrangement."""
        check_names(self.players, said("Both players need a name of at most {count} characters.", count=LONGEST_NAME))
        if len({*self.colours}) < 2 or not COLOURS.keys() >= {*self.colours}:
            raise ArrangementError.said("The players need different colours.")
        if self.friend is not None and self.robot is not None:
            raise ArrangementError.said("The robot does not play in a game with a friend at another table.")
        if self.robot is not None and self.circle is CircleSource.UNKNOWN:
            raise ArrangementError.said("The robot must know the circle: deal it, or let the camera look for it.")

    @classmethod
    def of(cls, config: Config) -> "PatchworkArrangement":
        """Return the arrangement that the configuration describes.

        Raises:
            ArrangementError: both players have the same name.
        """
        game, circle = config.of(PatchworkSettings), circle_of(config)
        robot = robot_of(config)
        if robot is not None and circle is CircleSource.UNKNOWN:
            circle = CircleSource.DEALT
        return cls(
            game.players, game.colours or USUAL, game.first_seat, game.edition, game.rules, circle, game.market, robot
        )

    def configured(self, config: Config, *, lies_there: bool) -> Config:
        """Return the configuration of a game that begins with this arrangement.

        Args:
            config: the configuration to take all other values from.
            lies_there: whether a circle lies on the table even if it is unknown, as at a simulated table.

        Raises:
            ArrangementError: the circle is impossible.
        """
        circle = self.circle if self.friend is None else CircleSource.DEALT
        dealt = circle is CircleSource.DEALT or lies_there
        market = (self.market or dealt_market()) if dealt else None
        game = replace(
            config.of(PatchworkSettings),
            players=(_bare(self.players[0]), _bare(self.players[1])),
            colours=self.colours,
            first_seat=self.first_seat,
            edition=self.edition,
            rules=self.rules,
            market=market,
            circle=_HIDDEN if circle is CircleSource.UNKNOWN and lies_there else circle.value,
        )
        try:
            game.check()
        except ValueError as error:
            raise ArrangementError.said("The game cannot start like this: {reason}.", reason=reason(error)) from error
        config = with_robot(config.with_game(game), self.robot)
        return config if self.friend is None else with_friend(config, self.friend)


def first_setup(config: Config, language: Language) -> Setup:
    """Return the setup of a game by the configuration, with the handicap in buttons that its robot asks for.

    Args:
        config: the configuration.
        language: of the names of players who have not chosen any.

    Raises:
        SetupError: the circle is not a valid one.
    """
    setup, robot = config.of(PatchworkSettings).setup(language=language), robot_of(config)
    if robot is None or not robot.handicap:
        return setup
    its = START_BUTTONS + max(0, -robot.handicap)
    others = START_BUTTONS + max(0, robot.handicap)
    return replace(setup, buttons=(its, others) if robot.seat == 1 else (others, its))


def _bare(name: str) -> str:
    """Return a name without blanks around it; one without any is returned as it is."""
    return name if name == name.strip() else name.strip()


def circle_of(config: Config) -> CircleSource:
    """Return how the companion knows the circle of a game that begins with this configuration."""
    game = config.of(PatchworkSettings)
    if game.circle == _HIDDEN:
        return CircleSource.UNKNOWN
    is_named = game.market is not None and game.circle != CircleSource.SEEN
    return CircleSource.DEALT if is_named else CircleSource(game.circle)


def with_circle_known(config: Config, circle: CircleSource) -> Config:
    """Return the configuration of a simulated table whose circle is known to the companion in this way."""
    value = _HIDDEN if circle is CircleSource.UNKNOWN else circle.value
    return config.with_game(replace(config.of(PatchworkSettings), circle=value))


def table_notes(config: Config, setup: Setup) -> dict[str, str]:
    """Return the notes that complete a game's setup: the players' colours, and a circle unknown to the companion."""
    notes, game = {}, config.of(PatchworkSettings)
    if game.colours is not None:
        notes[_COLOURS_NOTE] = " ".join(game.colours)
    if setup.market is None and game.market is not None:
        notes[_CIRCLE_NOTE] = " ".join(game.market)
    return notes


def presses_note(config: Config) -> tuple[str, str]:
    """Return the key and value of the note on the decisions for which players at this table press a button."""
    if not config.reading.hands_free:
        return _PRESSES_NOTE, Presses.EACH
    return _PRESSES_NOTE, Presses.NONE if config.table.time_board == "followed" else Presses.ADVANCE


def presses_in(notes: Mapping[str, str]) -> Presses:
    """Return the decisions for which players press a button, by a game's notes; without such a note, all."""
    value = notes.get(_PRESSES_NOTE)
    return Presses(value) if value in list(Presses) else Presses.EACH


def colours_in(notes: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the players' colours in a game's notes, or None if none were chosen."""
    names = notes.get(_COLOURS_NOTE, "").split()
    return (names[0], names[1]) if len(names) == 2 and COLOURS.keys() >= {*names} else None


def circle_in(notes: Mapping[str, str]) -> tuple[str, ...] | None:
    """Return the circle on the table that is unknown to the companion, or None if there is none."""
    return tuple(notes[_CIRCLE_NOTE].split()) if _CIRCLE_NOTE in notes else None
