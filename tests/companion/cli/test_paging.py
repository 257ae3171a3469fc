from __future__ import annotations

import argparse
import socket
import sys
from typing import TYPE_CHECKING, Any

import pytest

from companion.cli.paging import is_attended, linger, page_of
from companion.config import Config, PageConfig, SimulationConfig
from companion.errors import CompanionError
from companion.registry import pages
from companion.web.page import PageServer
from companion.web.transport.server import PageError, listen
from hardware.clock import Tempo

if TYPE_CHECKING:
    from pathlib import Path

CONFIG = Config(page=PageConfig(port=0))


def _args(**options: Any) -> argparse.Namespace:
    usual = {"no_page": False, "json": False, "fast": False, "games": 1, "port": None, "host": None}
    return argparse.Namespace(**(usual | options))


def test_an_evening_has_a_page_and_its_link_is_printed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with page_of(_args(), CONFIG, tmp_path / "games.sqlite3") as page:
        assert page is not None
        out, err = capsys.readouterr()
        assert (out, err) == (f"Page: {page.door.link}\n", "")
        assert page.door.port > 0
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", page.door.port), 1)


@pytest.mark.parametrize("option", [{"no_page": True}, {"json": True}, {"fast": True}, {"games": 2}])
def test_an_evening_without_readers_has_no_page(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, option: dict[str, Any]
) -> None:
    with page_of(_args(**option), CONFIG, tmp_path) as page:
        assert page is None
    assert capsys.readouterr() == ("", "")


def test_the_configuration_may_want_none(tmp_path: Path) -> None:
    with page_of(_args(), Config(page=PageConfig(enabled=False)), tmp_path) as page:
        assert page is None


@pytest.mark.parametrize(("simulate", "table"), [(True, "evening"), (True, "paper-tags"), (False, "evening")])
def test_the_page_of_simulated_players_knows_that_it_draws_their_box(
    tmp_path: Path, simulate: bool, table: str
) -> None:
    config = Config(page=PageConfig(port=0), simulation=SimulationConfig(table=table))
    tempo = Tempo() if simulate else None
    with page_of(_args(simulate=simulate), config, tmp_path / "games.sqlite3", tempo=tempo) as page:
        assert page is not None
        assert page.site().tempo is tempo


def test_a_taken_port_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with page_of(_args(port=port), CONFIG, tmp_path) as page:
            assert page is not None
            assert page.door.port != port
            assert (
                capsys.readouterr().err == f"companion: port {port} is in use: the page is on port {page.door.port}\n"
            )


def test_a_page_that_was_asked_for_and_cannot_be_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PageError, match="cannot listen"), page_of(_args(host="192.0.2.1"), CONFIG, tmp_path):
        pass
    with (
        pytest.raises(CompanionError, match="play: --host 'pi' is not valid"),
        page_of(_args(host="pi"), CONFIG, tmp_path),
    ):
        pass


def test_without_the_page_nobody_asked_for_the_evening_goes_on(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    config = Config(page=PageConfig(lan=True, host="192.0.2.1"))
    with page_of(_args(), config, tmp_path) as page:
        assert page is None
    err = capsys.readouterr().err
    assert err.startswith("companion: the page cannot listen at 192.0.2.1 port 8080")
    assert err.endswith("; the game continues without the page\n")


def test_on_the_network_phones_get_an_address_of_their_own(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.web.transport.server._own_address", lambda _: "192.168.1.9")
    config = Config(page=PageConfig(port=0, lan=True))
    with page_of(_args(), config, tmp_path) as page:
        assert page is not None
        line = capsys.readouterr().out.splitlines()[1]
        assert line.startswith(f"For phones: http://192.168.1.9:{page.door.port}/join?code=")


class _Terminal:
    """Standard input or output that claims to be a terminal."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def isatty(self) -> bool:
        return True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@pytest.mark.parametrize("stream", ["stdin", "stdout"])
def test_a_user_at_a_terminal_attends(stream: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_attended()
    monkeypatch.setattr(sys, stream, _Terminal(getattr(sys, stream)))
    assert is_attended()


def test_a_page_that_stays_says_until_when(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    page, waited = PageServer(pages(), CONFIG.page), list[bool]()
    monkeypatch.setattr(page, "wait", lambda: waited.append(True))
    linger(None)
    assert waited == []
    linger(page)
    assert waited == [True]
    assert capsys.readouterr().out == f"The page stays open at {page.door.link} until you press Ctrl-C.\n"
