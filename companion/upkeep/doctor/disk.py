"""The checks of the disk that games are stored on: free space, write permission, and signs of wear."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.languages import counted, said
from hardware.diagnosis import Finding, Machine, fault, note, ok

LEAST_BYTES: Final = 20 * 2**20
"""The free space below which a fault is reported; a game takes some kilobytes, but the system needs space, too."""
SCARCE_BYTES: Final = 500 * 2**20
# The least DEVICE_LIFE_TIME_EST (JEDEC eMMC 5.1) that counts as worn: 1 is up to 10 % of the life, 10 up to 100 %.
_WORN: Final = 9
_ABOUT: Final = said("disk")


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
            _ABOUT,
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
        yield fault(_ABOUT, said("This user cannot write to {there}.", there=str(there)), says, do)
    if kind in {"tmpfs", "overlay", "ramfs"}:
        says = said("Anything stored there may be lost after a restart.")
        yield note(
            _ABOUT,
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
            _ABOUT,
            said("Only {megabytes} MB are left for {folder}.", megabytes=megabytes, folder=str(folder)),
            says,
            said("{command}; delete large files.", command="sudo apt clean"),
        )
    if free_bytes < SCARCE_BYTES:
        says = said("Enough for games; table recordings take about {megabytes} MB per game.", megabytes=100)
        return note(
            _ABOUT, said("{megabytes} MB are left for {folder}.", megabytes=megabytes, folder=str(folder)), says
        )
    return ok(
        _ABOUT,
        said("{gigabytes} GB are left for {folder}.", gigabytes=round(free_bytes / 2**30, 1), folder=str(folder)),
    )


def _mounted_at(path: Path, machine: Machine) -> tuple[str, str, list[str]]:
    """Return device, kind and options of the file system that holds a path, by /proc/mounts."""
    best = ("", "", [""])
    longest = -1
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
            _ABOUT,
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
            _ABOUT,
            said("The card {device} is worn out.", device=block),
            says,
            said("Copy it to a new one (marked A1 or A2)."),
        )
