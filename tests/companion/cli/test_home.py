from __future__ import annotations

from pathlib import Path

from companion.cli.commands import build_parser
from companion.cli.home import last_game
from companion.cli.paging import Room
from companion.cli.play import _with_partner
from companion.config import Config, PageConfig
from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, TABLE_NAME, Journal
from companion.languages import ENGLISH, PERSIAN, said
from companion.patchwork.settings import PatchworkSettings
from companion.registry import codecs, game_named
from companion.web.door import Door
from companion.web.home import Entry, Home
from tests.companion.mqtt.standin import game_events


def test_a_damaged_game_is_gone_on_with_as_far_as_it_is_sound(tmp_path: Path) -> None:
    path, (_, taken) = tmp_path / JOURNAL_NAME, game_events(2, ("Anna", "Boris"))
    with Journal(path, codecs()) as journal:
        for players, decisions in ((("Eva", "Finn"), 4), (("Anna", "Boris"), 6)):
            number = journal.new_game(Setup(players=players), TABLE_NAME)
            for sequence, event in enumerate(taken[:decisions], start=1):
                journal.append(number, sequence, event.decision)
    log = tmp_path / "games" / f"{number}.log"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join([*lines[:-3], lines[-3].replace(b"seat", b"sxat"), *lines[-2:]]))
    found = last_game(path, "virtual")
    assert found is not None
    assert (found.players, found.decisions, found.line) == (("Anna", "Boris"), 3, ("play",))


def test_the_robot_is_named_in_the_language_of_whoever_opened_its_room() -> None:
    line = ["play", "--simulate", "--partner", "2", "robot"]
    home = Home((Entry("robot", said("Robot"), said("Robot"), tuple(line)),))
    command = build_parser(line).parse_args(line)
    command.room = Room(Door(PageConfig(), None), home, "robot")

    def name() -> str:
        config = _with_partner(command, game_named("patchwork").entry, Config(), ENGLISH)
        return config.of(PatchworkSettings).players[1]

    # It may also begin by itself.
    assert name() == "Robot"
    home.choose("robot", PERSIAN)
    assert name() == "ربات"
