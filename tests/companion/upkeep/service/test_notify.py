"""Test the messages to systemd over a real socket."""

from __future__ import annotations

import socket
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.upkeep.service import Notifier

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def listening(address: str) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(address)
        heard.setblocking(False)
        yield heard


def messages(heard: socket.socket) -> list[str]:
    told = []
    try:
        while True:
            told.append(heard.recv(4096).decode())
    except BlockingIOError:
        return told


@pytest.fixture
def place() -> Iterator[Path]:
    # A socket's path has 107 bytes at most, which a test's own folder may exceed.
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        yield Path(folder) / "notify"


def test_readiness_is_told_once_and_a_status_when_it_changes(place: Path) -> None:
    with listening(str(place)) as heard:
        notifier = Notifier({"NOTIFY_SOCKET": str(place)}, lambda: 0.0)
        notifier.ready()
        notifier.ready()
        notifier.status("Game 3 is\nbeing played.")
        notifier.status("Game 3 is being played.")
        notifier.status("The camera is away.")
        notifier.stopping()
        assert messages(heard) == [
            "READY=1", "STATUS=Game 3 is being played.", "STATUS=The camera is away.", "STOPPING=1",
        ]  # fmt: skip


def test_the_watchdog_is_fed_four_times_a_deadline_and_only_when_the_loop_goes_round(place: Path) -> None:
    now = [100.0]
    with listening(str(place)) as heard:
        notifier = Notifier({"NOTIFY_SOCKET": str(place), "WATCHDOG_USEC": "20000000"}, lambda: now[0])
        notifier.alive()
        assert messages(heard) == ["WATCHDOG=1"]
        for now[0] in (104.9, 105.0, 105.1, 109.9):
            notifier.alive()
        assert messages(heard) == ["WATCHDOG=1"]
        now[0] = 170.0
        assert messages(heard) == [], "nobody feeds it while the loop hangs"
        notifier.alive()
        assert messages(heard) == ["WATCHDOG=1"]


def test_an_abstract_socket_is_reached() -> None:
    with listening("\0quilt-companion-test") as heard:
        Notifier({"NOTIFY_SOCKET": "@quilt-companion-test"}, lambda: 0.0).ready()
        assert messages(heard) == ["READY=1"]


@pytest.mark.parametrize(
    "environ",
    [{}, {"NOTIFY_SOCKET": ""}, {"NOTIFY_SOCKET": "vsock:2:1"}, {"NOTIFY_SOCKET": "/nowhere/to/be/found"}],
)
def test_without_a_service_manager_nothing_happens(environ: dict[str, str]) -> None:
    notifier = Notifier({**environ, "WATCHDOG_USEC": "1000000"}, lambda: 0.0)
    notifier.ready()
    notifier.alive()
    notifier.stopping()


def test_no_watchdog_was_asked_for(place: Path) -> None:
    with listening(str(place)) as heard:
        for microseconds in ("", "soon", "0"):
            Notifier({"NOTIFY_SOCKET": str(place), "WATCHDOG_USEC": microseconds}, lambda: 0.0).alive()
        assert messages(heard) == []
