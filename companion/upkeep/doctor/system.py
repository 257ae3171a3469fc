"""The checks of the machine: disk, libraries, power supply, groups, operating system and Python."""

import grp
import os
import pwd
import re
import shutil
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.languages import Sentence, counted, listed, said
from companion.upkeep.install import UNIT, USER
from hardware.diagnosis import Finding, Machine, fault, note, ok
from hardware.environment import Environment, first_line
from vision.networks import NoNumbersError

# What broken binary packages raise: a missing library, or NumPy's "dtype size changed", which is a ValueError.
_REASONS: Final = (ImportError, OSError, RuntimeError, ValueError, NotImplementedError)
_ABOUT_LIBRARIES: Final = said("libraries")


def check_vision(machine: Machine) -> Iterator[Finding]:
    """Yield the findings on the libraries for reading pictures."""
    for module, package in (("numpy", "numpy"), ("cv2", "opencv-python-headless")):
        reason = _reason(machine, module)
        if reason is None:
            version = machine.version(package)
            yield ok(_ABOUT_LIBRARIES, said("The system’s {module} can be imported.", module=module) if version is None
                     else said("{module} {version} can be imported.", module=module, version=version))  # fmt: skip
            continue
        yield fault(
            _ABOUT_LIBRARIES,
            said("{module} cannot be imported: {fault}", module=module, fault=reason),
            said("No picture can be read."),
            machine.environment.pip("--force-reinstall", package),
        )
    if machine.version("opencv-python") and machine.version("opencv-python-headless"):
        says = said("They overwrite each other’s files, and the one with windows disturbs the camera’s preview.")
        environment = machine.environment
        do = f"{environment.without('opencv-python')}; {environment.pip('--force-reinstall', 'opencv-python-headless')}"
        yield note(_ABOUT_LIBRARIES, said("OpenCV is installed twice, with windows and without."), says, do)


def check_arithmetic(look: Callable[[], object], environment: Environment) -> Finding:
    """Return the finding on whether a neural network's results, computed by `look`, are finite numbers."""
    try:
        look()
    except NoNumbersError:
        return fault(
            _ABOUT_LIBRARIES,
            said("OpenCV cannot calculate on this processor."),
            said("No photograph can be scored, and no patch in the circle can be found."),
            environment.pip("--force-reinstall", "opencv-python-headless"),
        )
    return ok(_ABOUT_LIBRARIES, said("OpenCV’s arithmetic works on this processor."))


def _reason(machine: Machine, module: str) -> str | None:
    """Return the reason why a module cannot be imported, in one line, or None if it can."""
    try:
        machine.load(module)
    except _REASONS as error:
        return first_line(error).rstrip(".") + "."
    return None


LEAST_BYTES: Final = 20 * 2**20
"""The free space below which a fault is reported; a game takes some kilobytes, but the system needs space, too."""
SCARCE_BYTES: Final = 500 * 2**20
# The least DEVICE_LIFE_TIME_EST (JEDEC eMMC 5.1) that counts as worn: 1 is up to 10 % of the life, 10 up to 100 %.
_WORN: Final = 9
_ABOUT_DISK: Final = said("disk")


def check_disk(folder: Path, machine: Machine, free_bytes: int | None = None) -> Iterator[Finding]:
    """Yield the findings on the data folder and its disk.

    Args:
        folder: the data folder; it need not exist yet.
        machine: the machine under examination.
        free_bytes: the free space; None to query it.
    """
    there = next(path for path in (folder, *folder.parents) if path.exists())
    device, kind, options = _mounted_at(there, machine)
    if "ro" in options:
        says = said("Nothing can be stored. A worn-out card makes itself read-only.")
        yield fault(
            _ABOUT_DISK,
            said("The disk of {folder} is read-only.", folder=str(folder)),
            says,
            said("{command}; then write the card again.", command="sudo dmesg | tail"),
        )
    # On a read-only disk nobody can write, and another owner would not help.
    elif not os.access(there, os.W_OK):
        says = said("Games cannot be stored there.")
        do = said(
            "{command}, or choose another folder with {option}", command=f"sudo chown -R $USER {there}", option="--data"
        )
        yield fault(_ABOUT_DISK, said("This user cannot write to {there}.", there=str(there)), says, do)
    if kind in {"tmpfs", "overlay", "ramfs"}:
        says = said("Anything stored there may be lost after a restart.")
        yield note(
            _ABOUT_DISK,
            said("{folder} is in memory or on an overlay ({kind}).", folder=str(folder), kind=kind),
            says,
            said("Choose a folder with {option}.", option="--data"),
        )
    yield _room(folder, shutil.disk_usage(there).free if free_bytes is None else free_bytes)
    yield from _wear(device, machine)


def _room(folder: Path, free_bytes: int) -> Finding:
    megabytes = round(free_bytes / 2**20)
    if free_bytes < LEAST_BYTES:
        says = said("The next decision may not be stored.")
        return fault(
            _ABOUT_DISK,
            said("Only {megabytes} MB are left for {folder}.", megabytes=megabytes, folder=str(folder)),
            says,
            said("{command}; delete large files.", command="sudo apt clean"),
        )
    if free_bytes < SCARCE_BYTES:
        says = said("Enough for games; table recordings take about {megabytes} MB per game.", megabytes=100)
        return note(
            _ABOUT_DISK, said("{megabytes} MB are left for {folder}.", megabytes=megabytes, folder=str(folder)), says
        )
    return ok(
        _ABOUT_DISK,
        said("{gigabytes} GB are left for {folder}.", gigabytes=round(free_bytes / 2**30, 1), folder=str(folder)),
    )


def _mounted_at(path: Path, machine: Machine) -> tuple[str, str, list[str]]:
    """Return device, kind and options of the file system that holds a path, by /proc/mounts."""
    best, longest = ("", "", [""]), -1
    for line in (machine.text("/proc/mounts") or "").splitlines():
        device, place, kind, options = line.split()[:4]
        place = place.replace("\\040", " ")
        # Of two mounts at the same place the later one is visible.
        if (path.is_relative_to(place)) and len(place) >= longest:
            longest, best = len(place), (device, kind, options.split(","))
    return best


def _wear(device: str, machine: Machine) -> Iterator[Finding]:
    name = device.removeprefix("/dev/")
    errors = machine.text(f"/sys/fs/ext4/{name}/errors_count") or "0"
    if errors.isdecimal() and int(errors):
        says = said("Worn-out cards and pulled plugs cause such errors.")
        do = said(
            "{command} and restart; copy what matters, and replace the card if the errors come back",
            command="sudo touch /forcefsck",
        )
        yield fault(
            _ABOUT_DISK,
            counted(
                "The file system of {device} has recorded {count} error.",
                "The file system of {device} has recorded {count} errors.",
                int(errors),
                device=device,
            ),
            says,
            do,
        )
    # The wear is the card's; the file system is on its partition, such as mmcblk0p2.
    block = name.partition("p")[0] if name.startswith("mmcblk") else name
    lives = (machine.text(f"/sys/block/{block}/device/life_time") or "").split()
    ages = [int(life, 16) for life in lives if life.startswith("0x")]
    if ages and max(ages) >= _WORN:
        says = said("It has written almost as much as it can.")
        yield fault(
            _ABOUT_DISK,
            said("The card {device} is worn out.", device=block),
            says,
            said("Copy it to a new one (marked A1 or A2)."),
        )


UNDERVOLTAGE: Final = 1 << 0
CAPPED: Final = 1 << 1
THROTTLED: Final = 1 << 2
WARM: Final = 1 << 3
SINCE_START: Final = 16
"""The bits of `vcgencmd get_throttled` (Raspberry Pi documentation, "vcgencmd"): the current flags and, shifted left by
SINCE_START, those that have been set since the start."""

HOT_C: Final = 80.0
"""The temperature at which a Pi begins to throttle."""
_BITS: Final = re.compile(r"throttled=0x([0-9a-fA-F]+)")
_SUPPLY: Final = said(
    "Use the official supply (5 V 3 A; Pi 5: 5 A) and a short cable, and another supply for the strip."
)
_COOLER: Final = said("Add a cooler, and let air into the case.")
_SUPPLIED: Final = said("power")


def throttled_bits(machine: Machine) -> int | None:
    """Return the firmware's flags on supply and temperature, or None if they are not available."""
    found = _BITS.search(machine.run(["vcgencmd", "get_throttled"]) or "")
    if found is not None:
        return int(found[1], 16)
    # The kernel's own alarm, for systems without vcgencmd, which does not tell now from before.
    for name in sorted(machine.path("/sys/class/hwmon").glob("hwmon*/name")):
        monitor = f"/sys/class/hwmon/{name.parent.name}"
        if machine.text(f"{monitor}/name") == "rpi_volt":
            alarm = machine.text(f"{monitor}/in0_lcrit_alarm")
            return None if alarm is None else (UNDERVOLTAGE << SINCE_START if alarm == "1" else 0)
    return None


def check_power(machine: Machine, *, is_pi: bool) -> Iterator[Finding]:
    """Yield the findings on the Pi's supply and temperature."""
    bits = throttled_bits(machine)
    if bits is None:
        if is_pi:
            do = said("{command}; be in the group {group}", command="sudo apt install raspi-utils", group="video")
            yield note(_SUPPLIED, said("The firmware does not say whether the power supply is strong enough."), do=do)
        return
    yield _supply(bits)
    yield from _heat(bits, machine)


def _supply(bits: int) -> Finding:
    if bits & UNDERVOLTAGE:
        says = said("The Pi slows down and may restart at any moment; cameras and cards may fail in strange ways.")
        return fault(_SUPPLIED, said("The power supply is too weak right now."), says, _SUPPLY)
    if bits & UNDERVOLTAGE << SINCE_START:
        says = said("This happened at least for a moment; it will happen again when all lights are on.")
        return fault(
            _SUPPLIED, said("The power supply was too weak at some time since the Pi was switched on."), says, _SUPPLY
        )
    return ok(_SUPPLIED, said("The power supply has been strong enough since the Pi was switched on."))


def _heat(bits: int, machine: Machine) -> Iterator[Finding]:
    now, before = bits & (CAPPED | THROTTLED | WARM), bits >> SINCE_START & (CAPPED | THROTTLED | WARM)
    millidegrees = machine.text("/sys/class/thermal/thermal_zone0/temp") or ""
    degrees = int(millidegrees) / 1000 if millidegrees.lstrip("-").isdecimal() else None
    if now or (degrees is not None and degrees >= HOT_C):
        says = said("It works more slowly than it could; pictures are read with a delay.")
        yield note(_SUPPLIED, _warm(said("The Pi is throttled now, usually because of heat"), degrees), says, _COOLER)
    elif before:
        yield note(
            _SUPPLIED, _warm(said("The Pi was throttled at some time since it was switched on"), degrees), do=_COOLER
        )
    elif degrees is not None:
        yield ok(_SUPPLIED, said("{degrees} °C.", degrees=round(degrees)))


def _warm(says: Sentence, degrees: float | None) -> Sentence:
    if degrees is None:
        return said("{fault}.", fault=says)
    return said("{fault} ({degrees} °C).", fault=says, degrees=round(degrees))


AUDIO: Final = "audio"
DEVICES: Final = {
    AUDIO: ("snd/controlC*", "snd/pcm*"),
    "gpio": ("gpiochip*", "pio*"),
    "input": ("input/event*",),
    "spi": ("spidev*",),
    "video": ("video*", "media*"),
}
"""The device files of each group, as patterns below /dev."""
_ABOUT: Final = said("groups")


@dataclass(frozen=True, slots=True)
class Membership:
    """The groups of this machine and of the users that matter here.

    Attributes:
        mine: the groups of this process.
        coming: the groups that this user has after the next login.
        service: the groups of the service's user; None if there is no such user.
        known: all groups of this machine.
        is_root: whether this user is root, who needs no group.
    """

    mine: frozenset[str]
    coming: frozenset[str]
    service: frozenset[str] | None
    known: frozenset[str]
    is_root: bool


def this_membership() -> Membership:
    """Return the membership of the user who runs this process."""
    names = {group.gr_gid: group.gr_name for group in grp.getgrall()}
    mine = {names.get(number, str(number)) for number in {*os.getgroups(), os.getegid()}}
    try:
        own = pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        # In a container, a user may have a number without a name.
        own = ""
    return Membership(
        frozenset(mine), _of_user(own) or frozenset(), _of_user(USER), frozenset(names.values()), os.geteuid() == 0
    )


def check_groups(needed: Collection[str], membership: Membership, machine: Machine) -> Iterator[Finding]:
    """Yield the findings on whether this user and the service's are in the groups that may use the devices.

    Args:
        needed: the groups that own the devices that are used.
        membership: the groups and their members.
        machine: tells which devices this user may open without a group, as a desktop session grants.
    """
    # A desktop session may grant access to devices (logind's ACLs) without any group.
    closed = sorted(name for name in set(needed) - membership.mine if not _are_open(DEVICES.get(name, ()), machine))
    if membership.is_root:
        yield ok(_ABOUT, said("This user may do everything."))
    elif not closed:
        yield ok(_ABOUT, said("In {names}.", names=listed(sorted(needed))) if membership.mine >= set(needed)
                 else said("This user may use the devices of {names}.", names=listed(sorted(needed))))  # fmt: skip
    else:
        yield from _missing(closed, membership)
    if membership.service is not None:
        yield from _of_service(sorted(set(needed) - membership.service), membership.known)


def _missing(closed: list[str], membership: Membership) -> Iterator[Finding]:
    """Yield a finding for the groups this user is missing: a note for the voice, which no game needs, else a fault."""
    for names, rate, means in (
        ([name for name in closed if name != AUDIO], fault, _UNUSABLE),
        (
            [name for name in closed if name == AUDIO],
            note,
            said("The companion does not speak; everything else works as usual."),
        ),
    ):
        if not names:
            continue
        title = said("This user is not in {names}.", names=listed(names))
        # A process keeps the groups of its login; the user's entry may have changed since.
        if membership.coming >= set(names):
            yield rate(_ABOUT, title, means, said("Log in again: the next login is in {names}.", names=listed(names)))
        else:
            command = _command(names, "$USER", membership.known)
            yield rate(_ABOUT, title, means, said("{command}, then log in again", command=command))


_UNUSABLE: Final = said("Their devices cannot be used, whatever the other checks say.")


def _of_service(missing: list[str], known: Collection[str]) -> Iterator[Finding]:
    if missing:
        title = said("The service’s user, {user}, is not in {names}.", user=USER, names=listed(missing))
        means = said("The service cannot use their devices.")
        do = f"{_command(missing, USER, known)} && sudo systemctl restart {UNIT}"
        yield (note if missing == [AUDIO] else fault)(_ABOUT, title, means, do)


def _command(names: list[str], user: str, known: Collection[str]) -> str:
    """Return the shell command that adds a user to groups, creating those that do not exist."""
    made = [f"sudo groupadd --system {name}" for name in names if name not in known]
    return " && ".join([*made, f"sudo usermod -aG {','.join(names)} {user}"])


def _are_open(patterns: Collection[str], machine: Machine) -> bool:
    """Return whether devices of these names exist and this user may use all of them."""
    devices = [path for pattern in patterns for path in machine.path("/dev").glob(pattern)]
    return bool(devices) and all(machine.reaches(path) for path in devices)


def _of_user(name: str) -> frozenset[str] | None:
    """Return the groups of a user in the system's database, or None if there is no such user."""
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        return None
    numbers = os.getgrouplist(name, entry.pw_gid)
    names = {group.gr_gid: group.gr_name for group in grp.getgrall()}
    return frozenset(names.get(number, str(number)) for number in numbers)


OLDEST_DEBIAN: Final = 12
"""Bookworm, the first with Python 3.11 and a maintained picamera2."""
OLDEST_PYTHON: Final = (3, 11)
NEWEST_PYTHON: Final = (3, 13)

_SYSTEM: Final = said("system")
_PYTHON: Final = "python"


def check_os(machine: Machine, *, is_pi: bool) -> Finding:
    """Return the finding that names the operating system."""
    lines = (machine.text("/etc/os-release") or "").splitlines()
    release = dict(line.partition("=")[::2] for line in lines if "=" in line)
    name = release.get("PRETTY_NAME", "").strip('"') or said("an unknown operating system")
    version = release.get("VERSION_ID", "").strip('"')
    if is_pi and release.get("ID", "").strip('"') not in {"debian", "raspbian"}:
        says = said("Raspberry Pi OS includes the drivers for the camera and the pins; other systems may not.")
        return note(
            _SYSTEM,
            said("This Raspberry Pi runs {name}.", name=name),
            says,
            said("If the camera is not found, use Raspberry Pi OS."),
        )
    if is_pi and version.isdecimal() and int(version) < OLDEST_DEBIAN:
        return fault(
            _SYSTEM,
            said("{name} is too old.", name=name),
            said("The companion does not work with its camera software."),
            said("Use Raspberry Pi Imager to write Raspberry Pi OS (64-bit, bookworm or newer) to the card."),
        )
    return ok(_SYSTEM, said("{fault}.", fault=name))


def check_python(version: tuple[int, int, int]) -> Finding:
    """Return the finding on the version of Python."""
    named = f"Python {'.'.join(map(str, version))}"
    if version[:2] < OLDEST_PYTHON:
        says = said("The companion does not run on it.")
        return fault(
            _PYTHON, said("{name} is too old.", name=named), says, said("Install {name} or newer.", name="Python 3.11")
        )
    if version[:2] > NEWEST_PYTHON:
        return note(_PYTHON, said("{name} is newer than the versions that the companion was tested with.", name=named))
    return ok(_PYTHON, said("{fault}.", fault=named))


def check_environment(environment: Environment, *, needs_system: bool) -> Iterator[Finding]:
    """Yield the findings on whether Python sees the system's packages, such as picamera2.

    Args:
        environment: the environment of the running Python.
        needs_system: whether a driver is available only from the system's packages.
    """
    if not needs_system or (environment.is_systems and not environment.is_venv):
        return
    if not environment.is_systems:
        yield fault(
            _PYTHON,
            said("This Python is in {folder} and is not the system’s.", folder=str(environment.base_prefix)),
            said("picamera2 and libcamera come with the system and work only with its own Python."),
            said("Create the environment again with the system’s Python: {command}", command=environment.opened()),
        )
    elif not environment.sees_system:
        yield fault(
            _PYTHON,
            said("The environment cannot use the system’s packages."),
            said("picamera2 and libcamera come with the system and cannot be imported here."),
            said("Allow the environment to use them: {command}", command=environment.opened()),
        )
    else:
        yield ok(_PYTHON, said("The environment can use the system’s packages."))
