from __future__ import annotations

import argparse
import sys
import threading
from typing import TYPE_CHECKING

from companion.__main__ import main
from companion.cli import hall

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_without_a_broker_it_says_what_to_write(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "config.toml"
    config.write_text("")
    assert main(["hall", "--config", str(config), "--data", str(tmp_path)]) == 2
    says = "[mqtt] broker: is missing; the hall gets the games from there: add the broker’s address"
    assert capsys.readouterr().err == f"companion: {says}\n"


def test_a_missing_library_is_said_with_how_to_get_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[mqtt]\nbroker = "localhost"\n')
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert main(["hall", "--config", str(config), "--data", str(tmp_path)]) == 2
    here = f"{sys.prefix}/bin/python3 -m pip install 'paho-mqtt<3' sqlalchemy alembic"
    assert f"install it with {here}" in capsys.readouterr().err


def test_it_serves_and_prints_a_link_for_each_role(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[mqtt]\nbroker = "mqtt://127.0.0.1:1"\n')
    monkeypatch.setattr("companion.hall.hall.Hall.wait", lambda _, alive: alive())
    monkeypatch.setattr("threading.excepthook", threading.excepthook)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    told: list[str] = []
    monkeypatch.setattr("companion.upkeep.service.Notifier._send", lambda _, message: told.append(message))
    args = argparse.Namespace(config=config, data=tmp_path, language="en", port=0)
    assert hall.run(args) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Hall: http://localhost:")
    assert [line.partition(":")[0] for line in lines] == ["Hall", "For the director", "For referees"]
    assert len({line.partition("?key=")[2] for line in lines}) == 3
    assert (tmp_path / "hall" / "hall.sqlite3").exists()
    assert "companion.hall.hall" in sys.modules
    assert told == ["READY=1", "STOPPING=1"]
