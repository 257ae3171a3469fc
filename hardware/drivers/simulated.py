"""The simulated devices, which stand in for real ones beside which they are configured."""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.languages import listed, said
from companion.settings import quoted
from hardware.diagnosis import Finding, Machine, fault, note
from hardware.driver import CameraDriver, ControlsDriver, Driver, OpenContext, StripDriver, drivers
from hardware.ports import Controls, LightStrip, StillCamera
from hardware.pushbuttons import ButtonPlace

_ABOUT = said("configuration")


@dataclass(frozen=True, slots=True)
class SimulatedCameraDriver(CameraDriver):
    """A camera over a simulated table."""

    driver = "simulated"
    summary = said("a simulated table")

    def open(self, context: OpenContext) -> StillCamera:
        """Return a camera over an empty simulated table."""
        from hardware.simulated.camera import SimulatedCamera  # noqa: PLC0415  # It draws the table.
        from hardware.simulated.conditions import TABLES  # noqa: PLC0415
        from hardware.simulated.scene.table import SimulatedTable, StillTable  # noqa: PLC0415

        return SimulatedCamera(StillTable(SimulatedTable(context.seed, TABLES[context.table])), context.clock, self.fps)

    def examine(self, machine: Machine) -> Iterator[Finding]:
        """Yield the finding that a real table needs a real camera, and the video devices that there are."""
        do = said("{key} = {names}", key="[camera] driver", names=_real(CameraDriver))
        yield fault(_ABOUT, said("The camera is simulated."), said("It sees no real table."), do)
        devices = machine.devices("video*")
        if devices:
            title = said("There are video devices: {names}.", names=listed(devices))
            yield note(said("camera"), title, do=do)
        else:
            title = said("There is no video device on this machine.")
            yield note(said("camera"), title, do=said("Plug a camera in."))


@dataclass(frozen=True, slots=True)
class SimulatedControlsDriver(ControlsDriver):
    """The push-buttons of a simulated table."""

    driver = "simulated"
    summary = said("simulated players")

    @property
    def places(self) -> tuple[ButtonPlace, ...]:
        """The push-buttons that are simulated: those of the pins that are configured."""
        return ControlsDriver.changed(self, driver="gpio").places

    def open(self, context: OpenContext) -> Controls:
        """Return the push-buttons of a simulated table."""
        from hardware.simulated.devices import SimulatedControls  # noqa: PLC0415

        return SimulatedControls(context.clock)

    def examine(self, machine: Machine) -> Iterator[Finding]:
        """Yield the finding that a real table needs real push-buttons, or none."""
        del machine
        do = said(
            "{key}, or {command} for keys, or {other} to play hands-free or on the page",
            key='[controls] driver = "gpio"',
            command="companion controls learn",
            other='"none"',
        )
        yield fault(_ABOUT, said("The push-buttons are simulated."), said("Nobody can press them."), do)


@dataclass(frozen=True, slots=True)
class SimulatedStripDriver(StripDriver):
    """A strip that is shown on a screen."""

    driver = "simulated"
    summary = said("drawn on the screen")

    def open(self, context: OpenContext) -> LightStrip:
        """Return the strip of a simulated table."""
        del context
        from hardware.simulated.devices import SimulatedLightStrip  # noqa: PLC0415

        return SimulatedLightStrip(self.pixels)

    def examine(self, machine: Machine) -> Iterator[Finding]:
        """Yield the finding that a real table needs a real strip, or none."""
        del machine
        do = said(
            "{key} = {names}, or {other} to play without it",
            key="[strip] driver",
            names=_real(StripDriver),
            other='"none"',
        )
        yield fault(_ABOUT, said("The strip is simulated."), said("Nobody sees its light."), do)


def _real(kind: type[Driver]) -> str:
    """Return the names of the drivers of a kind for real devices."""
    return quoted(name for name in drivers(kind) if name not in {"none", "simulated"})
