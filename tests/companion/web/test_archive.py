"""Test the archive of a page that does not support every game in the journal."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from companion.journal import JOURNAL_NAME, Journal
from companion.registry import codecs, pages
from companion.web.archive import Archive, NoGameError, standings
from tests.companion.games.kvilt.played import play_game
from tests.companion.kvilt_setups import own_setup
from tests.companion.web.conftest import SETUP, whole_game

if TYPE_CHECKING:
    from pathlib import Path

PATCHWORK_ALONE = {"patchwork": pages()["patchwork"]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal with a finished game of Patchwork and one of Kvilt."""
    strange = play_game(own_setup(("Anna", "Vera")), random.Random(2))
    with Journal(tmp_path / JOURNAL_NAME, codecs()) as journal:
        for setup, decisions in ((SETUP, whole_game()), (strange.setup, strange.decisions)):
            number = journal.new_game(setup)
            for sequence, decision in enumerate(decisions, start=1):
                journal.append(number, sequence, decision)
    return tmp_path / JOURNAL_NAME


def test_a_game_that_the_page_does_not_know_is_listed_and_hides_no_other(path: Path) -> None:
    strange, known = Archive(path, PATCHWORK_ALONE).games()
    assert (strange["game"], strange["players"], strange["finished"]) == ("kvilt", ["Anna", "Vera"], True)
    assert (strange["colours"], strange["pictures"]) == ([], False)
    assert (known["game"], len(known["colours"])) == ("patchwork", 2)


def test_it_cannot_be_looked_into(path: Path) -> None:
    archive = Archive(path, PATCHWORK_ALONE)
    for look in (archive.game, archive.replay, archive.decisions_csv):
        with pytest.raises(NoGameError, match="This game cannot be replayed"):
            look(2)
    assert archive.record(2)


def test_only_games_that_the_page_knows_are_counted(path: Path) -> None:
    assert {row["game"] for row in standings(Archive(path, PATCHWORK_ALONE))} == {"patchwork"}
    assert {row["game"] for row in standings(Archive(path, pages()))} == {"patchwork", "kvilt"}


def test_without_a_journal_nothing_is_counted(tmp_path: Path) -> None:
    for archive in (Archive(None, pages()), Archive(tmp_path / JOURNAL_NAME, pages())):
        assert archive.finished(pages()["patchwork"]) == []
        assert archive.games_csv(pages()["kvilt"]).count("\n") == 1
