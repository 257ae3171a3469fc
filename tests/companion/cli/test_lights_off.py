from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from hardware.drivers.wled import WledStrip
from tests.vendors.wled import wled

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

Run = Callable[..., tuple[int, str, str]]


def test_the_strip_goes_dark(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with wled(60) as controller:
        there = partial(WledStrip, ddp_port=controller.ddp_port)
        monkeypatch.setattr("hardware.drivers.wled.WledStrip", there)
        config = tmp_path / "companion.toml"
        config.write_text(f'[strip]\ndriver = "wled"\nwled_host = "{controller.host}"\n')
        assert run("lights-off", "--config", config) == (0, "", "")
        assert controller.shown()[0] == bytes(180)
        assert controller.state["on"] is False


def test_a_strip_that_cannot_be_reached_is_one_line_and_status_2(run: Run, tmp_path: Path) -> None:
    config = tmp_path / "companion.toml"
    config.write_text('[strip]\ndriver = "neopixel"\n')
    status, out, err = run("lights-off", "--config", config)
    assert (status, out) == (2, "")
    assert err.startswith("companion: a NeoPixel strip needs a Raspberry Pi, and this is not one")
    assert err.count("\n") == 1
