"""The board and the Python environment that the program runs on, and the commands that install what is missing there.

A command must suit the environment: Raspberry Pi OS refuses a bare `pip install` (PEP 668), an environment below /opt
belongs to root, and one without access to the system's packages gains nothing from `apt install`.
"""

import importlib
import os
import re
import shlex
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hardware.ports import HardwareError

MODEL_PATH: Final = Path("/proc/device-tree/model")

# One digit: a Pi 400 and a Pi 500 have the chips of a Pi 4 and a Pi 5.
_GENERATION: Final = re.compile(r"Raspberry Pi (?:Compute Module )?(\d)")
_ZERO: Final = re.compile(r"Raspberry Pi Zero( 2)?")


@dataclass(frozen=True, slots=True)
class PiBoard:
    """A Raspberry Pi.

    Attributes:
        model: model name in the device tree, such as "Raspberry Pi 4 Model B Rev 1.4".
        generation: 1 to 5 or later; determines the library for a strip. A Zero counts as 1, a Zero 2 as 3, by their
            chips.
    """

    model: str
    generation: int

    @property
    def is_zero(self) -> bool:
        """True for a Zero of any generation."""
        return _ZERO.match(self.model) is not None

    @property
    def filters(self) -> tuple[str, ...]:
        """The sections of `config.txt` that apply to it, besides `[all]`."""
        if self.is_zero:
            return ("pi02",) if self.generation == 3 else ("pi0", "pi0w")
        names = {3: ("pi3", "pi3+", "cm3"), 4: ("pi4", "pi400", "cm4"), 5: ("pi5", "pi500", "cm5")}
        return names.get(self.generation, (f"pi{self.generation}",))

    @property
    def core_clock(self) -> tuple[str, int] | None:
        """The setting that keeps the SPI's clock constant, and its value in MHz, or None if that clock never changes.

        rpi_ws281x's README describes it for a Pi 3 and a Pi 4; a Zero's core, like a Pi 3's, idles at another clock.
        """
        if self.generation == 4:
            return "core_freq_min", 500
        return ("core_freq", 250) if self.generation == 3 or self.is_zero else None


def read_board(path: Path = MODEL_PATH) -> PiBoard | None:
    """Return the board that this program runs on, or None if it is no Raspberry Pi."""
    try:
        return board_of(path.read_bytes().rstrip(b"\0").decode("utf-8", "replace").strip())
    except OSError:
        return None


def board_of(model: str) -> PiBoard | None:
    """Return the board of a model name, or None if it is not a Raspberry Pi."""
    if not model.startswith("Raspberry Pi"):
        return None
    zero = _ZERO.match(model)
    if zero is not None:
        return PiBoard(model, 3 if zero[1] else 1)
    numbered = _GENERATION.match(model)
    # The first models have no number: "Raspberry Pi Model B Rev 2", "Raspberry Pi Compute Module Rev 1.0".
    return PiBoard(model, int(numbered[1]) if numbered is not None else 1)


REINSTALL: Final = "sudo make install"
"""Installs the program with its drivers into its own environment; run in the folder with the Makefile."""
FITTING: Final = ("numpy<2", "opencv-python-headless<4.12")
"""For a camera stack built for NumPy 1, such as bookworm's: OpenCV 4.11.0.86 is the last that supports NumPy 1."""

# The folder below which the Debian package has its environment.
_PACKAGED: Final = Path("/usr/lib")
_SYSTEM_PYTHON: Final = "/usr/bin/python3"


@dataclass(frozen=True, slots=True)
class Environment:
    """A Python environment.

    Attributes:
        prefix: its folder.
        base_prefix: the folder of the Python that it was made from; equal to `prefix` outside of a virtual environment.
        sees_system: whether the system's packages, such as picamera2, can be imported.
        writable: whether this user may install into it.
        managed: whether it is externally managed, so that pip refuses to install into it (PEP 668).
    """

    prefix: Path
    base_prefix: Path
    sees_system: bool = True
    writable: bool = True
    managed: bool = False

    @property
    def is_venv(self) -> bool:
        """True if it is a virtual environment."""
        return self.prefix != self.base_prefix

    @property
    def is_systems(self) -> bool:
        """True if its Python is the system's."""
        return self.base_prefix == Path("/usr")

    def pip(self, *requirements: str) -> str:
        """Return the command that installs packages into it."""
        if self.is_venv and self.prefix.is_relative_to(_PACKAGED):
            return "sudo apt install --reinstall quilt-companion"
        if not self.is_venv and self.managed:
            return REINSTALL
        return self._python("-m", "pip", "install", *requirements)

    def without(self, package: str) -> str:
        """Return the command that removes a package that pip has installed."""
        kept = ("--break-system-packages",) if not self.is_venv and self.managed else ()
        return self._python("-m", "pip", "uninstall", "--yes", *kept, package)

    def apt(self, *packages: str, wheels: tuple[str, ...] = ()) -> str:
        """Return the command that makes the system's packages importable, or installs equivalent `wheels`."""
        if self.is_venv and not self.sees_system and wheels:
            return self.pip(*wheels)
        command = f"sudo apt install --no-install-recommends {' '.join(packages)}"
        return command if self.sees_system else f"{command} && {self.opened()}"

    def opened(self) -> str:
        """Return the command that gives it access to the system's packages, or creates an environment that has it."""
        if not (self.is_venv and self.is_systems):
            return f"{REINSTALL} PYTHON={_SYSTEM_PYTHON}"
        return self._sudo + shlex.join([_SYSTEM_PYTHON, "-m", "venv", "--system-site-packages", str(self.prefix)])

    def numpy_fitting(self) -> str:
        """Return the command that installs a numpy for which the system's camera stack was built."""
        if self.is_venv:
            return self.pip(*FITTING)
        # The system has its own numpy, which one installed by pip hides.
        return self.without("numpy")

    @property
    def _sudo(self) -> str:
        return "" if self.writable else "sudo "

    def _python(self, *arguments: str) -> str:
        return self._sudo + shlex.join([str(self.prefix / "bin" / "python3"), *arguments])


def this_environment() -> Environment:
    """Return the environment that this program runs in."""
    prefix, base = Path(sys.prefix), Path(sys.base_prefix)
    marker = Path(sysconfig.get_path("stdlib")) / "EXTERNALLY-MANAGED"
    return Environment(
        prefix,
        base,
        sees_system=base == Path("/usr") and (prefix == base or opens_to_system(_cfg(prefix))),
        writable=os.access(sysconfig.get_path("purelib"), os.W_OK),
        managed=marker.exists(),
    )


def opens_to_system(cfg: str) -> bool:
    """Return whether an environment has access to the system's packages, by the content of its `pyvenv.cfg`."""
    pairs = (line.partition("=") for line in cfg.splitlines())
    return any(key.strip() == "include-system-site-packages" and value.strip() == "true" for key, _, value in pairs)


def camera_command(environment: Environment) -> str:
    """Return the command that installs picamera2, which is only packaged for the system."""
    return environment.apt("python3-picamera2")


def pins_command(environment: Environment) -> str:
    """Return the command that installs the libraries for push-buttons."""
    return environment.apt("python3-gpiozero", "python3-lgpio", wheels=("gpiozero", "lgpio"))


def is_clash(fault: str) -> bool:
    """Return whether an import failed because the module was built for another numpy than the installed one."""
    return "size changed" in fault or "numpy.core.multiarray" in fault or "numpy._core.multiarray" in fault


def _cfg(prefix: Path) -> str:
    try:
        return (prefix / "pyvenv.cfg").read_text(encoding="utf-8")
    except OSError:
        return ""


def vendor_module(name: str, install: str) -> Any:
    """Return the module of that name.

    Args:
        name: such as "gpiozero".
        install: the command that installs it into the current environment.

    Raises:
        HardwareError: it is not installed, or is incompatible with other packages.
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or name
        raise HardwareError.said(
            "the Python module {module} is missing; install it: {command}", module=missing, command=install
        ) from error
    except (ImportError, OSError, RuntimeError, ValueError, NotImplementedError) as error:
        # numpy's "dtype size changed" is a ValueError, a board that Blinka does not know a NotImplementedError.
        line = first_line(error)
        if is_clash(line):
            raise HardwareError.said(
                "the Python module {module} was built for a different numpy ({fault}); install one that matches: "
                "{command}",
                module=name,
                fault=line,
                command=this_environment().numpy_fitting(),
            ) from error
        raise HardwareError.said(
            "the Python module {module} cannot be used here: {fault}; install it: {command}",
            module=name,
            fault=line,
            command=install,
        ) from error


def first_line(error: BaseException) -> str:
    """Return the first line of a library's message, or the error's name if it has none."""
    return (str(error).splitlines() or [type(error).__name__])[0]
