"""A report for the developers about what went wrong at a table: its parts, and the file that contains them."""

import io
import platform
import re
import sys
import zipfile
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from companion import __version__
from companion.durable import take_place, write_beside
from companion.errors import CompanionError
from companion.languages import Sentence, said, system_says, unwritable
from companion.ownership import as_owner_of
from companion.upkeep.backup.manifest import Places
from companion.upkeep.backup.writing import without_passwords
from hardware.diagnosis import Machine

# The packages whose versions decide what is read, and which devices work.
_PACKAGES: Final = ("numpy", "opencv-python-headless", "opencv-python", "picamera2", "gpiozero", "lgpio", "rpi-ws281x")

# No key has a password as its value, but people write some.
_ENTERED: Final = re.compile(rb"^(\s*#?\s*[\w.-]*pass(?:word|wd)?\s*=).*", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a report.

    Attributes:
        name: the file's name, or that of a folder with a slash at its end.
        says: what it contains.
        files: the content of each file, by its name in the report.
    """

    name: str
    says: Sentence
    files: dict[str, bytes]

    @property
    def size(self) -> int:
        """The size of its files, in bytes."""
        return sum(map(len, self.files.values()))


def usual_name(now: datetime) -> str:
    """Return the default file name of a report."""
    return f"quilt-companion-report-{now:%Y%m%d-%H%M%S}.zip"


def parts(places: Places, doctor: str, machine: Machine, home: Path) -> tuple[Part, ...]:
    """Return the parts of a report.

    Args:
        places: the data folder and the configuration.
        doctor: the findings of `companion doctor`.
        machine: the machine that it is about.
        home: the user's home folder, whose name the report does not contain.

    Raises:
        CompanionError: a file cannot be read.
    """
    try:
        found = [
            _text("version.txt", said("the versions of the companion and of what it needs"), _versions(machine), home),
            # Its findings quote values of the configuration that are not valid.
            _text(
                "doctor.txt",
                said("what {command} finds on this machine", command="companion doctor"),
                without_passwords(doctor.encode(errors="replace")).decode(),
                home,
            ),
        ]
        if places.config is not None and places.config.is_file():
            with as_owner_of(places.config.parent):
                written = _ENTERED.sub(rb"\1", without_passwords(places.config.read_bytes()))
                config = written.decode(errors="replace")
            found.append(_text("config.toml", said("the configuration, without passwords"), config, home))
        if looks := _looks(places.data):
            says = said("the latest looks at the quilts, explained, and the table around them; all else is blurred")
            found.append(Part("looks/", says, looks))
    except OSError as error:
        where, fault = str(error.filename or places.data), system_says(error)
        raise CompanionError.said("{path}: cannot be read: {fault}", path=where, fault=fault) from error
    return tuple(found)


def write_report(target: Path, contents: tuple[Part, ...]) -> None:
    """Write a report into a new file that only its owner may read.

    Raises:
        CompanionError: it exists already, or cannot be written.
    """
    if target.exists():
        raise CompanionError.said("{path}: already exists; choose another name", path=str(target))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (each for part in contents for each in part.files.items()):
            archive.writestr(name, content)
    try:
        with as_owner_of(target.parent):
            take_place(write_beside(target, packed.getvalue(), 0o600), target)
    except OSError as error:
        raise CompanionError(unwritable(target, error)) from error


def _text(name: str, says: Sentence, text: str, home: Path) -> Part:
    plain = text if home == Path(home.anchor) else text.replace(str(home), "~")
    return Part(name, says, {name: plain.encode()})


def _versions(machine: Machine) -> str:
    packages = [(package, machine.version(package)) for package in _PACKAGES]
    lines = [
        f"quilt-companion {__version__}",
        f"Python {platform.python_version()} ({sys.implementation.name})",
        platform.platform(),
        machine.text("/proc/device-tree/model") or platform.machine(),
        *(f"{package} {version}" for package, version in packages if version is not None),
    ]
    return "".join(f"{line}\n" for line in lines)


def _looks(data: Path) -> dict[str, bytes]:
    """Return the pictures of the latest looks, by their names in the report."""
    from companion.patchwork.reading.study import LOOKS, numbered_looks  # noqa: PLC0415  # Only this needs OpenCV.

    with as_owner_of(data):
        stored = [path for paths in numbered_looks(data / LOOKS).values() for path in paths]
        return {f"{LOOKS}/{path.name}": path.read_bytes() for path in stored}
