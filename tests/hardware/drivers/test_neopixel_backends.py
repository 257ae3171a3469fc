from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from hardware.drivers.neopixel import MEMORY, PIO, SPI, Backend, backend_for, fault_of, spi_bytes
from hardware.environment import PiBoard
from hardware.ports import HardwareError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("generation", "pin", "backend"),
    [(1, 10, SPI), (4, 10, SPI), (3, 18, MEMORY), (4, 21, MEMORY), (5, 10, PIO), (5, 18, PIO), (6, 4, PIO)],
)
def test_each_board_has_its_own(generation: int, pin: int, backend: Backend) -> None:
    assert backend_for(PiBoard("a Pi", generation), pin) is backend


def test_without_root_where_that_can_be() -> None:
    assert [backend.device is None for backend in (SPI, MEMORY, PIO)] == [False, True, False]


def test_a_pin_that_drives_nothing_is_refused_with_one_that_does() -> None:
    with pytest.raises(HardwareError, match=r"^GPIO17 cannot drive a strip on a Raspberry Pi 3.*GPIO10 \(pin 19"):
        backend_for(PiBoard("Raspberry Pi 3", 3), 17)


def test_no_raspberry_pi_is_pointed_to_wled() -> None:
    with pytest.raises(HardwareError, match=r'this is not one; choose driver = "wled" or "none" under \[strip\]'):
        backend_for(None, 10)


@pytest.mark.parametrize("backend", [SPI, PIO])
def test_a_device_must_be_there_and_be_writable(
    backend: Backend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert f"{backend.device} is missing; {backend.enable}" == fault_of(backend, 10, 60, tmp_path)
    (tmp_path / "dev").mkdir()
    (tmp_path / str(backend.device).lstrip("/")).touch()
    assert fault_of(backend, 10, 60, tmp_path) is None
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setenv("USER", "anna")
    says = (
        f"{backend.device} cannot be written to by this user; sudo usermod -aG {backend.group} anna, then log in again"
    )
    assert fault_of(backend, 10, 60, tmp_path) == says


def test_memory_is_for_root_alone(tmp_path: Path) -> None:
    assert fault_of(MEMORY, 18, 60, tmp_path, user_id=0) is None
    says = str(fault_of(MEMORY, 18, 60, tmp_path, user_id=1000))
    assert says.startswith("only root can drive a strip at GPIO18; connect its data wire to GPIO10")


@pytest.mark.parametrize(("room", "longest"), [(None, 339), ("4096", 339), ("32768", 1000)])
def test_spi_takes_so_many_pixels_at_once(tmp_path: Path, room: str | None, longest: int) -> None:
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev" / "spidev0.0").touch()
    (tmp_path / "dev" / "pio0").touch()
    if room is not None:
        parameters = tmp_path / "sys/module/spidev/parameters"
        parameters.mkdir(parents=True)
        (parameters / "bufsiz").write_text(f"{room}\n")
    assert fault_of(SPI, 10, longest, tmp_path) is None
    if longest < 1000:
        says = str(fault_of(SPI, 10, longest + 1, tmp_path))
        assert says.startswith("340 pixels are more than SPI has room for (339); add spidev.bufsiz=32768 ")
        assert fault_of(PIO, 10, longest + 1, tmp_path) is None


def test_a_strip_s_bytes_are_rpi_ws281x_s() -> None:
    # PCM_BYTE_COUNT of 60, 339 and 340 pixels, worked out by hand from its definition.
    assert [spi_bytes(count) for count in (60, 339, 340)] == [736 + 8, 4080 + 8, 4096 + 8]
