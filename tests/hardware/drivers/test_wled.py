from __future__ import annotations

import socket
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.languages import LANGUAGES, render
from hardware.diagnosis import Level, Machine
from hardware.drivers.wled import PIXELS_PER_PACKET, WledDriver, WledStrip, packets
from hardware.ports import RGB, HardwareError
from tests.vendors.wled import LIVE_S, OWN, FakeWled, wled

if TYPE_CHECKING:
    from collections.abc import Iterator

REFUSED = (
    "WLED at 127.0.0.1 cannot be reached: Connection refused; "
    "is it switched on, and is wled_host under [strip] correct?"
)
RED, GREEN, BLUE, BLACK = (255, 0, 0), (0, 255, 0), (0, 0, 255), (0, 0, 0)
GREY = (90, 90, 90)


@contextmanager
def suppress_into(told: list[str]) -> Iterator[None]:
    try:
        yield
    except HardwareError as error:
        told.append(str(error))


@pytest.fixture
def controller() -> Iterator[FakeWled]:
    with wled(4) as made:
        yield made


def opened(controller: FakeWled, pixels: int = 4) -> WledStrip:
    return WledStrip(pixels, controller.host, timeout_s=60.0, ddp_port=controller.ddp_port)


def test_opening_makes_the_strip_dark_and_changes_nothing_of_its_owners(controller: FakeWled) -> None:
    strip = opened(controller)
    assert controller.asked == []
    assert controller.shown() == (bytes(12), 1, 1)
    assert controller.light() == [BLACK] * 4
    strip.close()


def test_after_a_power_cut_the_strip_is_its_owners_again_as_it_was(controller: FakeWled) -> None:
    controller.state["bri"] = 77
    strip = opened(controller)
    strip.show([RED] * 4)
    controller.shown()
    controller.shown()
    controller.wait(LIVE_S + 0.1)  # nothing more comes
    assert not controller.live
    assert controller.state == {"on": True, "bri": 77}
    assert controller.light()[0] == tuple(value * 77 // 255 for value in OWN)
    strip.close()


def test_a_light_that_an_earlier_version_left_locked_is_released(controller: FakeWled) -> None:
    controller.lock(float("inf"))
    strip = opened(controller)
    controller.shown()
    controller.wait(LIVE_S + 0.1)
    assert not controller.live
    strip.close()


@pytest.mark.parametrize(("own", "forced"), [(255, False), (128, False), (20, True), (180, False)])
def test_pixels_are_as_bright_as_they_are_asked_to_be_whatever_wleds_own_brightness(own: int, forced: bool) -> None:
    with wled(4) as controller:
        controller.state["bri"] = own
        controller.settings["if"]["live"]["maxbri"] = forced
        strip = opened(controller)
        controller.shown()
        strip.show([(100, 30, 1), GREY, BLACK, (0, 100, 0)])
        controller.shown()
        for lit, wanted in zip(controller.light(), [(100, 30, 1), GREY, BLACK, (0, 100, 0)], strict=True):
            assert lit == pytest.approx(wanted, abs=1)
        strip.close()


def test_beyond_wleds_own_brightness_all_pixels_are_dimmed_evenly(controller: FakeWled) -> None:
    controller.state["bri"] = 51
    strip = opened(controller)
    controller.shown()
    strip.show([(255, 100, 0), (50, 0, 0), BLACK, BLACK])
    controller.shown()
    assert controller.light() == [(51, 20, 0), (10, 0, 0), BLACK, BLACK]
    strip.close()


def test_it_shines_while_wled_is_switched_off_and_leaves_it_so(controller: FakeWled) -> None:
    controller.state["on"] = False
    strip = opened(controller)
    controller.shown()
    strip.show([RED] * 4)
    controller.shown()
    assert controller.light() == [RED] * 4
    strip.close()
    assert controller.state["on"] is False
    assert controller.light() == [BLACK] * 4


def test_after_wleds_own_restart_it_is_as_bright_as_before(controller: FakeWled) -> None:
    now_s = [0.0]
    strip = WledStrip(4, controller.host, timeout_s=60.0, ddp_port=controller.ddp_port, clock=lambda: now_s[0])
    controller.shown()
    strip.show([GREY] * 4)
    controller.shown()
    before = controller.light()
    controller.restart()
    now_s[0] += 11
    strip.show([GREY] * 4)
    controller.shown()
    for thread in threading.enumerate():
        if thread.name == "wled":
            thread.join()
    strip.show([GREY] * 4)
    controller.shown()
    assert controller.light()[0] == pytest.approx(before[0], abs=1)
    strip.close()


def test_it_is_not_asked_for_its_brightness_with_every_picture(controller: FakeWled) -> None:
    strip = opened(controller)
    asked = len(controller.looked)
    for _ in range(20):
        strip.show([RED] * 4)
    assert len(controller.looked) == asked
    strip.close()


def test_pixels_arrive_as_red_green_blue(controller: FakeWled) -> None:
    strip = opened(controller)
    controller.shown()
    strip.show([RED, GREEN, BLUE, (1, 2, 3)])
    assert controller.shown() == (bytes([255, 0, 0, 0, 255, 0, 0, 0, 255, 1, 2, 3]), 2, 1)
    strip.close()


def test_a_long_strip_comes_in_several_packets() -> None:
    with wled(1000) as controller:
        strip = WledStrip(1000, controller.host, ddp_port=controller.ddp_port)
        controller.shown()
        pixels = [(index % 256, index // 256, 7) for index in range(1000)]
        strip.show(pixels)
        data, _, count = controller.shown()
        assert data == bytes(value for pixel in pixels for value in pixel)
        assert count == 3
        strip.close()


def test_closing_switches_it_off_and_leaves_its_brightness_as_it_was(controller: FakeWled) -> None:
    controller.state["bri"] = 77
    strip = opened(controller)
    strip.show([RED] * 4)
    controller.shown()
    controller.shown()
    strip.close()
    strip.close()
    assert controller.shown()[0] == bytes(12)
    assert controller.asked == [{"live": False, "on": False}]
    assert controller.state == {"on": False, "bri": 77}
    assert controller.light() == [BLACK] * 4
    with pytest.raises(HardwareError, match="closed"):
        strip.show([RED] * 4)


def test_a_controller_with_fewer_pixels_is_refused_and_left_alone(controller: FakeWled) -> None:
    with pytest.raises(HardwareError, match=r"has 4 pixels, not 60; correct its LED preferences"):
        opened(controller, 60)
    assert controller.asked == []


@pytest.mark.parametrize("info", [b"<html>", {"leds": 3}, ["no"], {"leds": {"count": "many"}}])
def test_a_device_that_is_not_wled_is_refused(controller: FakeWled, info: object) -> None:
    controller.info = info
    with pytest.raises(HardwareError, match=r"the device that answers at 127.0.0.1 is not WLED; check wled_host"):
        opened(controller)


def test_a_controller_that_does_not_answer_is_one_line() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(HardwareError) as caught:
            WledStrip(4, f"127.0.0.1:{taken.getsockname()[1]}", timeout_s=0.5)
    assert str(caught.value) == REFUSED
    assert render(caught.value.args[0], LANGUAGES["ru"]).startswith("WLED по адресу 127.0.0.1 недоступен")


def test_a_controller_that_stops_listening_is_noticed_when_pixels_are_shown(controller: FakeWled) -> None:
    strip = opened(controller)
    controller.close()
    told: list[str] = []
    for _ in range(4):  # the first packets may be on their way before the answer to them is back
        with suppress_into(told):
            strip.show([RED] * 4)
    assert set(told) == {REFUSED}
    strip.close()


def test_an_ipv6_address_is_written_in_brackets() -> None:
    with pytest.raises(HardwareError, match="WLED at ::1 cannot be reached"):
        WledStrip(4, "http://[::1]:1/")


@pytest.mark.parametrize("host", ["", "  ", "wled:port", ":80", "fe80::1", "[fe80::1", "[]:80"])
def test_an_invalid_host_is_refused(host: str) -> None:
    with pytest.raises(ValueError, match="is no host"):
        WledStrip(4, host)


@given(st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=1, max_size=1500), st.integers(1, 15))
def test_packets_lie_end_to_end_and_only_the_last_one_shows(pixels: list[RGB], sequence: int) -> None:
    sent = list(packets(pixels, sequence))
    data = b""
    for packet in sent:
        assert int.from_bytes(packet[4:8], "big") == len(data)
        assert len(packet) - 10 == int.from_bytes(packet[8:10], "big") <= 3 * PIXELS_PER_PACKET
        assert packet[1] == sequence
        data += packet[10:]
    assert data == bytes(value for pixel in pixels for value in pixel)
    assert [packet[0] for packet in sent] == [0x40] * (len(sent) - 1) + [0x41]


def found(controller: FakeWled) -> list[tuple[Level, str]]:
    machine = Machine(root=Path("/nowhere"))
    return [(each.level, str(each.title)) for each in WledDriver(wled_host=controller.host, pixels=8).examine(machine)]


def test_the_doctor_says_that_wleds_own_brightness_limits_the_strip(controller: FakeWled) -> None:
    controller.state["bri"] = 77
    answers = (Level.OK, f"WLED answers at {controller.host}.")
    assert found(controller) == [answers, (Level.NOTE, "WLED’s own brightness is 30 %.")]
    controller.settings["if"]["live"]["maxbri"] = True
    assert found(controller) == [answers]
    controller.settings, controller.state["bri"] = b"PIN", 160
    assert found(controller) == [answers], "it is as bright as the configuration asks for"
    assert controller.asked == [], "it was only looked at"
