"""A strip through Adafruit's real NeoPixel class, down to the bytes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from hardware.drivers.neopixel import ORDERS, NeoPixelStrip
from hardware.environment import board_of, this_environment
from hardware.ports import HardwareError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.vendors.rpi_ws281x import FakeWs281x

PI4 = board_of("Raspberry Pi 4 Model B Rev 1.4")
PI5 = board_of("Raspberry Pi 5 Model B Rev 1.0")
RED, GREEN, BLUE = (255, 0, 0), (0, 254, 0), (0, 0, 253)


def test_a_strip_is_dark_when_it_is_opened_and_when_it_is_closed(written: list[bytes], root: Path) -> None:
    strip = NeoPixelStrip(3, board=PI5, root=root)
    assert written == [bytes(9)]
    strip.show([RED, GREEN, BLUE])
    strip.close()
    strip.close()
    assert written[-1] == bytes(9)
    with pytest.raises(HardwareError, match="closed"):
        strip.show([RED, GREEN, BLUE])


@pytest.mark.parametrize(
    ("order", "sent"),
    [
        ("GRB", [0, 255, 0, 254, 0, 0, 0, 0, 253]),
        ("RGB", [255, 0, 0, 0, 254, 0, 0, 0, 253]),
        ("BGR", [0, 0, 255, 0, 254, 0, 253, 0, 0]),
        ("GRBW", [0, 255, 0, 0, 254, 0, 0, 0, 0, 0, 253, 0]),
    ],
)
def test_colours_go_out_in_the_order_of_the_strip(
    order: str, sent: list[int], written: list[bytes], root: Path
) -> None:
    strip = NeoPixelStrip(3, order=order, board=PI5, root=root)
    strip.show([RED, GREEN, BLUE])
    assert written[-1] == bytes(sent)
    strip.close()


def test_a_pi_4_begins_once_however_often_it_shows(chip: FakeWs281x, root: Path) -> None:
    strip = NeoPixelStrip(2, board=PI4, root=root)
    for level in range(50):
        strip.show([(level, 0, 0), (0, level, 0)])
    assert (chip.begun, chip.ended) == (1, 0)
    assert chip.shown[-1] == [0x003100, 0x310000]
    strip.close()
    assert chip.shown[-1] == [0, 0]


def test_a_strip_that_is_opened_again_ends_the_first_one_before_it_begins(chip: FakeWs281x, root: Path) -> None:
    NeoPixelStrip(2, board=PI4, root=root).close()
    second = NeoPixelStrip(2, board=PI4, root=root)
    second.show([RED, RED])
    assert (chip.begun, chip.ended) == (2, 1)
    assert chip.shown[-1] == [0x00FF00] * 2
    second.close()


def test_after_a_beginning_that_failed_the_library_is_not_touched_again(chip: FakeWs281x, root: Path) -> None:
    chip.fails_with = -3
    with pytest.raises(HardwareError, match=r"GPIO10 does not send: ws2811_init failed with code -3 \(Hardware rev"):
        NeoPixelStrip(2, board=PI4, root=root)
    with pytest.raises(HardwareError, match=r"not supported\); fix that and restart the companion"):
        NeoPixelStrip(2, board=PI4, root=root)
    assert chip.begun == 1
    assert not chip.crashed


def test_a_strip_that_fails_later_says_so_and_can_be_opened_again(chip: FakeWs281x, root: Path) -> None:
    strip = NeoPixelStrip(2, board=PI4, root=root)
    chip.render_fails_with = -13
    with pytest.raises(HardwareError, match=r"strip: GPIO10 does not send: ws2811_render failed"):
        strip.show([RED, RED])
    strip.close()
    chip.render_fails_with = 0
    again = NeoPixelStrip(2, board=PI4, root=root)
    again.show([BLUE, BLUE])
    assert chip.shown[-1] == [0x0000FD] * 2
    again.close()


def test_a_missing_library_is_named_with_its_command(
    written: list[bytes], root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "_rpi_ws281x")
    with pytest.raises(HardwareError, match=r"module _rpi_ws281x is missing; install it: .+") as caught:
        NeoPixelStrip(2, board=PI4, root=root)
    assert str(caught.value).endswith(this_environment().pip("adafruit-circuitpython-neopixel", "rpi_ws281x>=4"))
    assert written == []


def test_a_device_that_is_missing_stops_it_before_the_library_is_asked(chip: FakeWs281x, root: Path) -> None:
    (root / "dev" / "spidev0.0").unlink()
    with pytest.raises(HardwareError, match=r"^strip: /dev/spidev0.0 is missing; sudo raspi-config nonint do_spi 0"):
        NeoPixelStrip(2, board=PI4, root=root)
    assert chip.begun == 0


def test_a_pin_that_the_board_does_not_have(written: list[bytes], root: Path) -> None:
    with pytest.raises(HardwareError, match=r"^strip: this board has no GPIO77; choose another pin"):
        NeoPixelStrip(2, pin=77, board=PI5, root=root)
    assert written == []


@pytest.mark.parametrize(("count", "order", "says"), [(0, "GRB", "at least one pixel"), (2, "GBRR", "no order")])
def test_an_impossible_strip_is_refused(count: int, order: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        NeoPixelStrip(count, order=order, board=PI5)
    assert "GRB" in ORDERS
