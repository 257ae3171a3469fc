"""The disk that games are kept on: room, leave to write, and signs of a card that is worn out."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Final

from companion.doctor.finding import Finding, fault, note, ok

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from companion.doctor.machine import Machine

LEAST_BYTES: Final = 20 * 2**20
"""A game takes some kilobytes; below this, SQLite and the system run out of room together."""
SCARCE_BYTES: Final = 500 * 2**20
_WORN: Final = 9
"""JEDEC eMMC 5.1, DEVICE_LIFE_TIME_EST: 1 is up to 10 % of its life, 10 is up to 100 %."""


def check_disk(folder: Path, machine: Machine, free_bytes: int | None = None) -> Iterator[Finding]:
    """The folder of the games, and the disk below it.

    Args:
        folder: where games are kept; it need not be there yet.
        machine: whose disk it is.
        free_bytes: how much room there is; None to look.
    """
    there = next(path for path in (folder, *folder.parents) if path.exists())
    device, kind, options = _mounted_at(there, machine)
    if "ro" in options:
        says = "Nothing can be stored. A card that is worn out goes read-only by itself."
        yield fault("disk", f"The disk of {folder} is read-only.", says, "sudo dmesg | tail; then copy the card anew.")
    elif not os.access(there, os.W_OK):
        says = "Games cannot be kept there."
        do = f"sudo chown -R $USER {there}, or choose another folder with --data"
        yield fault("disk", f"{there} cannot be written to by this user.", says, do)
    if kind in {"tmpfs", "overlay", "ramfs"}:
        says = "What is kept there may be gone after a restart."
        yield note("disk", f"{folder} lies in memory or on an overlay ({kind}).", says, "Choose a folder with --data.")
    yield _room(folder, shutil.disk_usage(there).free if free_bytes is None else free_bytes)
    yield from _wear(device, machine)


def _room(folder: Path, free_bytes: int) -> Finding:
    megabytes = f"{free_bytes / 2**20:.0f} MB"
    if free_bytes < LEAST_BYTES:
        says = "The next decision may not be stored."
        return fault("disk", f"Only {megabytes} are left for {folder}.", says, "sudo apt clean; delete what is large.")
    if free_bytes < SCARCE_BYTES:
        says = "Enough for games; table recordings take some 100 MB an evening."
        return note("disk", f"{megabytes} are left for {folder}.", says)
    return ok("disk", f"{free_bytes / 2**30:.1f} GB are left for {folder}.")


def _mounted_at(path: Path, machine: Machine) -> tuple[str, str, list[str]]:
    """Device, kind and options of the file system that a path is on, by /proc/mounts."""
    best = ("", "", [""])
    longest = -1
    for line in (machine.text("/proc/mounts") or "").splitlines():
        device, place, kind, options = line.split()[:4]
        place = place.replace("\\040", " ")
        # Of two at one place the later one lies on top.
        if (path.is_relative_to(place)) and len(place) >= longest:
            longest, best = len(place), (device, kind, options.split(","))
    return best


def _wear(device: str, machine: Machine) -> Iterator[Finding]:
    name = device.removeprefix("/dev/")
    errors = machine.text(f"/sys/fs/ext4/{name}/errors_count") or "0"
    if errors.isdecimal() and int(errors):
        says = "Cards that are worn out, or pulled plugs, leave such errors."
        do = "sudo touch /forcefsck and restart; copy what matters, and replace the card if they come back"
        yield fault("disk", f"The file system of {device} has noted {errors} errors.", says, do)
    block = name.partition("p")[0] if name.startswith("mmcblk") else name
    lives = (machine.text(f"/sys/block/{block}/device/life_time") or "").split()
    ages = [int(life, 16) for life in lives if life.startswith("0x")]
    if ages and max(ages) >= _WORN:
        says = "It has written almost all that it can."
        yield fault("disk", f"The card {block} is worn out.", says, "Copy it to a new one (marked A1 or A2).")
