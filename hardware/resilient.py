"""A strip of lights whose failure never stops the game, which continues in the dark meanwhile."""

from collections.abc import Callable, Sequence
from contextlib import suppress

from companion.languages import said
from hardware.ports import RGB, Clock, HardwareError, LightStrip
from hardware.reopening import Backoff, full_stop


class ResilientStrip:
    """A strip that is reopened when it fails, and then shows the latest pixels.

    Args:
        reopen: opens the strip; called at once, but a missing strip is not an error: it is waited for.
        pixel_count: number of pixels.
        clock: for the times of attempts.
        say: called with a sentence when the strip is lost, and when it is back.
        refresh_s: interval of repeating the same pixels, for strips that forget them; None for never.
    """

    def __init__(
        self,
        reopen: Callable[[], LightStrip],
        pixel_count: int,
        clock: Clock,
        say: Callable[[str], None],
        refresh_s: float | None = None,
    ) -> None:
        self._reopen, self._count, self._clock, self._say = reopen, pixel_count, clock, say
        self._refresh_s = refresh_s
        self._backoff = Backoff()
        self._pixels: tuple[RGB, ...] = ((0, 0, 0),) * pixel_count
        self._strip: LightStrip | None = None
        self._due_s = clock.now()
        self._lost = self._closed = False
        self._attempt()

    @property
    def pixel_count(self) -> int:
        """The number of pixels."""
        return self._count

    @property
    def lost(self) -> bool:
        """True if the strip does not answer."""
        return self._lost

    def show(self, pixels: Sequence[RGB]) -> None:
        """Show pixels as soon as the strip responds.

        Raises:
            ValueError: another number of pixels.
            HardwareError: the strip was closed.
        """
        if len(pixels) != self._count:
            raise ValueError(f"the strip has {self._count} pixels, not {len(pixels)}")
        if self._closed:
            raise HardwareError(said("the strip was closed"))
        self._pixels = tuple(pixels)
        if self._strip is not None:
            self._attempt()
        else:
            # Pixels come with every frame, but an attempt to open the strip takes seconds, and follows the backoff.
            self.tick()

    def tick(self) -> None:
        """Reopen or refresh the strip if it is due; to be called about once a frame."""
        if not self._closed and self._clock.now() >= self._due_s:
            self._attempt()

    def close(self) -> None:
        """Switch all pixels off and release the strip; may be called more than once."""
        self._closed = True
        self._drop()

    def _attempt(self) -> None:
        """Show the pixels, opening the strip first if necessary."""
        try:
            if self._strip is None:
                self._strip = self._reopen()
            self._strip.show(self._pixels)
        except HardwareError as error:
            self._lose(error)
            return
        # Every show counts as a refresh.
        self._due_s = float("inf") if self._refresh_s is None else self._clock.now() + self._refresh_s
        self._backoff.succeeded()
        if self._lost:
            self._lost = False
            self._say(said("The lights are back."))

    def _lose(self, error: HardwareError) -> None:
        self._drop()
        self._due_s = self._clock.now() + self._backoff.failed()
        if not self._lost:
            self._lost = True
            says = said("The lights do not respond: {fault} The game continues without them.", fault=full_stop(error))
            self._say(says)

    def _drop(self) -> None:
        # Forgotten first, so that closing, which may fail as the strip did, is not tried twice.
        strip, self._strip = self._strip, None
        if strip is not None:
            with suppress(HardwareError):
                strip.close()
