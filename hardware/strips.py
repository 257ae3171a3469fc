"""Strips of lights as the companion uses them: any driver's strip, and one whose failure never stops the game."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Final

from companion.languages import said
from hardware.ports import RGB, Clock, HardwareError, LightStrip
from hardware.reconnecting import Backoff, full_stop

CHANNEL_MA: Final = 20.0
"""Current of one channel of one pixel at 255 (WS2812B: 60 mA a white pixel)."""


def drawn_ma(pixels: Iterable[RGB]) -> float:
    """Return the estimated current of the pixels, in mA."""
    return sum(map(sum, pixels)) * CHANNEL_MA / 255


class CountedStrip:
    """A strip that takes pictures of exactly its number of pixels; a base for implementations of `LightStrip`.

    Raises:
        ValueError: fewer than one pixel.
    """

    def __init__(self, pixel_count: int) -> None:
        if pixel_count < 1:
            raise ValueError(f"a strip needs at least one pixel, not {pixel_count}")
        self.pixel_count = pixel_count

    def check(self, pixels: Sequence[RGB]) -> None:
        """Raise ValueError for another number of pixels."""
        if len(pixels) != self.pixel_count:
            raise ValueError(f"the strip has {self.pixel_count} pixels, not {len(pixels)}")


class DrivenStrip:
    """A driver's strip that takes colours as screens do, stays within a current, and is sent its pixels again.

    It is the only place that limits the current, so that nothing that is shown can exceed the supply.

    Args:
        strip: the strip.
        max_ma: the greatest total current of its pixels, in mA; beyond it, all are dimmed evenly and keep their hues.
        gamma: the exponent of the correction for pixels whose light is proportional to their values, as of WS2812B;
            about 2.2 for screens, 1 for none.
        clock: measures the time since the pixels were sent.
        refresh_s: the interval at which `tick` sends them again, for strips that forget them; None for never.
    """

    def __init__(
        self, strip: LightStrip, max_ma: float, gamma: float, clock: Clock, refresh_s: float | None = None
    ) -> None:
        self._strip, self._max_ma, self._clock, self._refresh_s = strip, max_ma, clock, refresh_s
        # Values above 0 stay above 0, so that faint pixels are not switched off.
        self._light = [0, *(max(1, round(255 * (value / 255) ** gamma)) for value in range(1, 256))]
        self._sent: Sequence[RGB] = ()
        self._sent_s = clock.now()

    @property
    def pixel_count(self) -> int:
        """The number of pixels."""
        return self._strip.pixel_count

    def show(self, pixels: Sequence[RGB]) -> None:
        """Show pixels."""
        light = self._light
        lit = [(light[red], light[green], light[blue]) for red, green, blue in pixels]
        wanted_ma = drawn_ma(lit)
        if wanted_ma > self._max_ma:
            level = self._max_ma / wanted_ma
            lit = [(int(red * level), int(green * level), int(blue * level)) for red, green, blue in lit]
        self._send(lit)

    def tick(self) -> None:
        """Send the pixels again if they are due; to be called about once a frame.

        Raises:
            HardwareError: as raised by the driver's strip.
        """
        if self._sent and self._refresh_s is not None and self._clock.now() - self._sent_s >= self._refresh_s:
            self._send(self._sent)

    def close(self) -> None:
        """Close the driver's strip."""
        self._strip.close()

    def _send(self, lit: Sequence[RGB]) -> None:
        self._strip.show(lit)
        # Every show counts as a refresh.
        self._sent, self._sent_s = lit, self._clock.now()


class ResilientStrip(CountedStrip):
    """A strip that is reopened when it fails, and then shows the latest pixels.

    Args:
        reopen: opens the strip; called at once, but a missing strip is not an error: it is waited for.
        pixel_count: number of pixels.
        clock: for the times of attempts.
        say: called with a sentence when the strip is lost, and when it is back.

    Attributes:
        lost: whether the strip does not answer.
    """

    def __init__(
        self, reopen: Callable[[], LightStrip], pixel_count: int, clock: Clock, say: Callable[[str], None]
    ) -> None:
        super().__init__(pixel_count)
        self._reopen, self._clock, self._say = reopen, clock, say
        self._backoff = Backoff()
        self._pixels: tuple[RGB, ...] = ((0, 0, 0),) * pixel_count
        self._strip: LightStrip | None = None
        self._due_s = clock.now()
        self.lost = self._closed = False
        self.tick()

    def show(self, pixels: Sequence[RGB]) -> None:
        """Show pixels as soon as the strip responds."""
        self.check(pixels)
        if self._closed:
            raise HardwareError.said("the strip was closed")
        self._pixels = tuple(pixels)
        if self._strip is None:
            self.tick()
        else:
            strip = self._strip
            self._attempt(lambda: strip.show(self._pixels))

    def tick(self) -> None:
        """Reopen the strip if an attempt is due, or refresh it; to be called about once a frame."""
        if isinstance(self._strip, DrivenStrip):
            self._attempt(self._strip.tick)
        # Pixels come with every frame, but an attempt to open the strip takes seconds, and follows the backoff.
        elif self._strip is None and not self._closed and self._clock.now() >= self._due_s:
            self._attempt(self._open)

    def close(self) -> None:
        """Switch all pixels off and release the strip; may be called more than once."""
        self._closed = True
        self._drop()

    def _open(self) -> None:
        self._strip = self._reopen()
        self._strip.show(self._pixels)

    def _attempt(self, act: Callable[[], None]) -> None:
        try:
            act()
        except HardwareError as error:
            self._lose(error)
            return
        self._backoff.succeeded()
        if self.lost:
            self.lost = False
            self._say(said("The lights are back."))

    def _lose(self, error: HardwareError) -> None:
        self._drop()
        self._due_s = self._clock.now() + self._backoff.failed()
        if not self.lost:
            self.lost = True
            says = said("The lights do not respond: {fault} The game continues without them.", fault=full_stop(error))
            self._say(says)

    def _drop(self) -> None:
        # Forgotten first, so that closing, which may fail as the strip did, is not tried twice.
        strip, self._strip = self._strip, None
        if strip is not None:
            with suppress(HardwareError):
                strip.close()
