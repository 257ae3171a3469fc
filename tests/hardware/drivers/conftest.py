"""The strip's libraries on a machine without pins: Adafruit's own code over a fake chip."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from hardware.drivers import neopixel as strip
from tests.companion.upkeep.doctor.conftest import plant
from tests.vendors.rpi_ws281x import FakeWs281x

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["plant"]
BLINKA_WRITES = "adafruit_blinka.microcontroller.bcm283x.neopixel"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root folder with the device files of a Raspberry Pi."""
    (tmp_path / "dev").mkdir()
    for name in ("spidev0.0", "pio0"):
        (tmp_path / "dev" / name).touch()
    return tmp_path


@pytest.fixture
def neopixel(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Adafruit's `neopixel`, with pins that are named as on a Raspberry Pi."""
    monkeypatch.setenv("BLINKA_OS_AGNOSTIC", "1")
    monkeypatch.setenv("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    monkeypatch.setattr(strip, "_REFUSED", [])
    board = importlib.import_module("board")
    for pin in (10, 18):
        monkeypatch.setattr(board, f"D{pin}", board.Dx_OUTPUT, raising=False)
    return importlib.import_module("neopixel")


@pytest.fixture
def written(neopixel: Any, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The bytes that went out to a Pi 5's strip."""
    sent: list[bytes] = []
    monkeypatch.setattr(neopixel, "neopixel_write", lambda _, buffer: sent.append(bytes(buffer)))
    for name in ("adafruit_raspberry_pi5_neopixel_write", "_rpi_ws281x"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    return sent


@pytest.fixture
def chip(neopixel: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeWs281x]:
    """rpi_ws281x on a Pi 4, below the real code of Blinka."""
    made = FakeWs281x()
    monkeypatch.setitem(sys.modules, "_rpi_ws281x", made)
    monkeypatch.delitem(sys.modules, BLINKA_WRITES, raising=False)
    blinka = importlib.import_module(BLINKA_WRITES)
    monkeypatch.setattr(blinka.atexit, "register", lambda *_: None)
    monkeypatch.setattr(blinka.time, "sleep", lambda _: None)
    monkeypatch.setattr(neopixel, "neopixel_write", blinka.neopixel_write)
    yield made
    sys.modules.pop(BLINKA_WRITES, None)
