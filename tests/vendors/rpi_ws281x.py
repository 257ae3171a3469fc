"""A fake of `_rpi_ws281x`, the C part of rpi_ws281x, that records what a strip was sent.

Like the real one, it crashes if it is used after its start has failed.
"""

from __future__ import annotations

from collections import defaultdict
from types import ModuleType
from typing import Any

SUCCESS, RGB, RGBW = 0, 0x100800, 0x18100800


class FakeWs281x(ModuleType):
    """The module of one strip, as on the chip."""

    WS2811_SUCCESS = SUCCESS
    WS2811_STRIP_RGB = RGB
    SK6812_STRIP_RGBW = RGBW

    def __init__(self) -> None:
        super().__init__("_rpi_ws281x")
        self.begun = self.ended = 0
        self.fails_with = SUCCESS
        self.render_fails_with = SUCCESS
        self.crashed = False
        self.shown: list[list[int]] = []
        self._channels: list[dict[str, Any]] = []
        self._leds: dict[int, int] = {}

    def new_ws2811_t(self) -> object:
        self._channels = [defaultdict(int), defaultdict(int)]
        return self

    def delete_ws2811_t(self, strip: object) -> None:
        assert strip is self

    def ws2811_channel_get(self, strip: object, number: int) -> dict[str, Any]:
        assert strip is self
        return self._channels[number]

    def __getattr__(self, name: str) -> Any:
        """Return a setter or getter of a channel or of the strip."""
        field, _, kind = name.rpartition("_")
        if kind == "set":
            return lambda holder, value: None if holder is self else holder.__setitem__(field, value)
        if kind == "get":
            return lambda holder: holder[field]
        raise AttributeError(name)

    def ws2811_init(self, strip: object) -> int:
        assert strip is self
        self._survive()
        self.begun += 1
        return self.fails_with

    def ws2811_fini(self, strip: object) -> None:
        assert strip is self
        self._survive()
        self.ended += 1

    def ws2811_led_set(self, channel: dict[str, Any], index: int, colour: int) -> None:
        assert index < channel["ws2811_channel_t_count"]
        self._leds[index] = colour

    def ws2811_render(self, strip: object) -> int:
        assert strip is self
        self._survive()
        if self.render_fails_with == SUCCESS:
            self.shown.append([self._leds[index] for index in sorted(self._leds)])
        return self.render_fails_with

    def ws2811_get_return_t_str(self, code: int) -> str:
        return {-3: "Hardware revision is not supported", -13: "Unable to open /dev/spidev"}.get(code, "some fault")

    def _survive(self) -> None:
        self.crashed = self.crashed or (self.begun > 0 and self.fails_with != SUCCESS)
