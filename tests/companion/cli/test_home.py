from __future__ import annotations

from pathlib import Path

from companion.cli.home import last_game
from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, TABLE_NAME, Journal
from companion.registry import codecs
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
