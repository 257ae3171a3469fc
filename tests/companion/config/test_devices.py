from __future__ import annotations

import pytest

from companion.config import ConfigError, parse_config
from companion.config.devices import ORDERS
from hardware.pi import strip


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[camera]\ndriver = "folder"', '[camera] path: is missing; the driver "folder" needs'),
        ('[camera]\ndriver = "pi"\ndevice = "/dev/video0"', "[camera] device: '/dev/video0' is not valid; allowed"),
        ("[camera]\nmains_hz = 55", "[camera] mains_hz: 55 is not valid; allowed: 50 or 60"),
        ("[camera]\nmains_hz = true", "[camera] mains_hz: True is not valid; allowed: 50 or 60"),
        ('[camera]\ndevice = "my camera"', "[camera] device: 'my camera' is not valid; allowed: a name without spaces"),
        ("[controls]\nconfirm_pins = []", "[controls] confirm_pins: is empty; allowed: one GPIO number"),
        ("[controls]\nconfirm_pins = 17", "[controls] confirm_pins: 17 is not valid; allowed: a list of at most two"),
        ("[controls]\nundo_pins = [28]", "[controls] undo_pins: [28] is not valid; allowed: a list of at most two"),
        ("[controls]\nundo_pins = [true]", "[controls] undo_pins: [True] is not valid"),
        ("[controls]\nundo_pins = [1, 2, 3]", "[controls] undo_pins: [1, 2, 3] is not valid"),
        ("[controls]\nlamp_pins = [27]", "[controls] GPIO27 is used twice; each button and lamp needs its own pin"),
        ('[strip]\ndriver = "wled"', '[strip] wled_host: is missing; the driver "wled" needs its name or address'),
        ('[strip]\norder = "GGB"', "[strip] order: 'GGB' is not valid; allowed: \"GRB\", "),
    ],
)
def test_a_mistake_is_told_with_what_is_allowed(text: str, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(text, "x.toml")
    assert str(caught.value).startswith(f"x.toml: {says}")


def test_each_device_is_chosen_by_itself() -> None:
    config = parse_config('[controls]\ndriver = "gpio"\n[strip]\ndriver = "none"', "x.toml")
    assert (config.camera.driver, config.controls.driver, config.strip.driver) == ("simulated", "gpio", "none")


def test_the_driver_knows_every_order_of_colours() -> None:
    assert ORDERS == strip.ORDERS
