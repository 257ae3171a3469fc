"""The devices of tables without push-buttons, lights or a voice."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.languages import Sentence, said
from hardware.driver import ControlsDriver, OpenContext, StripDriver, VoiceDriver
from hardware.ports import RGB, Press
from hardware.strips import CountedStrip


@dataclass(frozen=True, slots=True)
class NoControlsDriver(ControlsDriver):
    """No push-buttons."""

    driver = "none"
    summary = said("none: hands-free, or on the page")

    def open(self, context: OpenContext) -> "NoControls":
        """Return push-buttons that are never pressed."""
        del context
        return NoControls()


@dataclass(frozen=True, slots=True)
class NoStripDriver(StripDriver):
    """No strip."""

    driver = "none"
    summary = said("none")

    @property
    def wiring(self) -> Sentence | None:
        """None: there is nothing to describe."""
        return None

    def open(self, context: OpenContext) -> "NoStrip":
        """Return a strip that shows nothing."""
        del context
        return NoStrip(self.pixels)


@dataclass(frozen=True, slots=True)
class NoVoiceDriver(VoiceDriver):
    """Silence, until users choose a voice on the page."""

    driver = "none"
    summary = said("none, until someone chooses a voice on the page")

    def is_installed(self, which: Callable[[str], str | None]) -> bool:
        """Return False: silence needs no voice."""
        del which
        return False


class NoControls:
    """Push-buttons of a table without any, played hands-free or by the page."""

    def presses(self) -> Sequence[Press]:
        """Return no presses."""
        return ()

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


class NoStrip(CountedStrip):
    """The strip of a table without lights."""

    def show(self, pixels: Sequence[RGB]) -> None:
        """Discard the pixels."""
        self.check(pixels)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
