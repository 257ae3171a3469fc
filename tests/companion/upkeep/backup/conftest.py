"""A data folder as an owner's is, with a game under way."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, Journal
from companion.registry import codecs
from companion.upkeep.backup.manifest import Places

NOW = datetime(2026, 1, 2, 19, 0, 7, tzinfo=UTC)


class Evening:
    """A journal that a companion has open, with a game in progress."""

    def __init__(self, folder: Path) -> None:
        self.journal = Journal(folder / JOURNAL_NAME, codecs(), lambda: NOW)
        self._rng = random.Random(3)
        self.begin()

    def begin(self) -> None:
        self.history = History(Setup(players=("Anna", "Boris")))
        self.game_id = self.journal.new_game(self.history.setup, "table")
        self.play(3)

    def play(self, count: int) -> None:
        for _ in range(count):
            self.history.apply(legal_decisions(self.history.state).pick(self._rng))
            number = len(self.history.decisions)
            self.journal.append(self.game_id, number, self.history.decisions[-1])


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """The data folder of a companion that is playing its second game."""
    data = tmp_path / "data"
    evening = Evening(data)
    evening.begin()
    for name, content in {
        "calibrations/table.toml": b"# a calibration",
        "profiles/1.npz": b"PK pixels",
        "page.key": b"secret",
        "mqtt.password": b"secret",
        "tables/table.lock": b"",
        "backups/before-update-20260101-000000.zip": b"an older backup",
        "games.sqlite3.damaged-20260101-000000": b"set aside",
        ".1.npz.aa.tmp": b"half written",
    }.items():
        path = data / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    yield evening
    evening.journal.close()


@pytest.fixture
def places(evening: Evening, tmp_path: Path) -> Places:
    """The places of the data, and a configuration that names a calibration and other files elsewhere."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "lens.toml").write_text("# where the boards lie")
    (home / "lens.npz").write_bytes(b"how they look")
    (home / "board.toml").write_text("# our printing")
    (home / "mqtt-ca.pem").write_text("# whom the hall trusts")
    (home / "mqtt.password").write_text("secret")
    config = home / "config.toml"
    config.write_text(
        f"""# mine
[table]
calibration = "{home}/lens.toml"
time_board_print = "{home}/board.toml"
[data]
folder = "{tmp_path}/data"
[mqtt]
broker = "mqtts://hall.local"
username = "table-3"
password_file = "{home}/mqtt.password"
ca = "{home}/mqtt-ca.pem"
"""
    )
    return Places(evening.journal.path.parent, config)


@pytest.fixture
def other(tmp_path: Path) -> Places:
    """Another machine."""
    return Places(tmp_path / "other" / "data", tmp_path / "other" / "config.toml")


Tree = Callable[[Path], dict[str, bytes]]


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder but locks, by name."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock"]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}
