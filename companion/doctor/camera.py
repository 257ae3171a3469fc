"""The camera: whether there is one, whether this user may use it, and who else does."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final

from companion.doctor.finding import Finding, fault, note, ok

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.config import CameraConfig
    from companion.doctor.machine import Machine

_LISTED: Final = re.compile(r"^\s*(\d+)\s*:\s*(\S+)", re.MULTILINE)
_LISTERS: Final = ("rpicam-hello", "libcamera-hello")
_VIDEO_GROUP: Final = "sudo usermod -aG video $USER, then log in anew"


def check_camera(camera: CameraConfig, machine: Machine, own_pid: int) -> Iterator[Finding]:
    """The camera that the configuration names, if it is one that hangs on this machine."""
    if camera.driver == "pi":
        yield from _pi_camera(camera, machine, own_pid)
    elif camera.driver == "webcam":
        yield from _webcam(camera, machine, own_pid)
    elif camera.driver == "folder":
        yield _folder(camera)


def cameras_there(machine: Machine) -> Finding:
    """What video devices there are, where the configuration names none."""
    devices = machine.devices("video*")
    if not devices:
        return note("camera", "There is no video device on this machine.", do="Plug a camera in.")
    return note("camera", f"There are video devices: {', '.join(devices)}.", do='[camera] driver = "pi" or "webcam"')


def holders(machine: Machine, devices: Sequence[str], own_pid: int) -> list[str]:
    """The programs that have one of the devices open, such as "obs (process 812)"; those that this user may see."""
    wanted = {str(machine.path(device)) for device in devices} | set(devices)
    found = []
    for process in sorted(machine.path("/proc").glob("[0-9]*"), key=lambda path: int(path.name)):
        if int(process.name) != own_pid and wanted & set(_open_files(machine, process.name)):
            name = machine.text(f"/proc/{process.name}/comm") or "a program"
            found.append(f"{name} (process {process.name})")
    return found


def _open_files(machine: Machine, pid: str) -> Iterator[str]:
    try:
        for link in machine.path(f"/proc/{pid}/fd").iterdir():
            yield str(link.readlink())
    except OSError:
        return  # It has ended, or is somebody else's.


def _pi_camera(camera: CameraConfig, machine: Machine, own_pid: int) -> Iterator[Finding]:
    devices = [*machine.devices("media*"), *machine.devices("video*")]
    if not devices:
        yield fault(
            "camera",
            "There is no camera device.",
            "The kernel has found no camera at its connector.",
            "Switch off, check both ends of the ribbon cable (contacts towards the contacts), switch on. With a camera "
            "that is not Raspberry Pi's own: its dtoverlay in /boot/firmware/config.txt.",
        )
        return
    yield from _usable(devices, machine, own_pid)
    listing = next((text for text in (machine.run([name, "--list-cameras"]) for name in _LISTERS) if text), None)
    if listing is None:
        says = "rpicam-hello is missing or fails, so the cameras cannot be listed."
        yield note("camera", says, do="sudo apt install rpicam-apps-lite")
        return
    there = dict(_LISTED.findall(listing))
    if camera.device in there:
        yield ok("camera", f"Camera {camera.device} is there: {there[camera.device]}.")
    else:
        listed = ", ".join(f"{number} ({name})" for number, name in there.items()) or "none"
        yield fault(
            "camera",
            f"Camera {camera.device} is not there; libcamera lists {listed}.",
            "No picture can be taken.",
            "Check the ribbon cable, or set [camera] device to a number that is listed.",
        )


def _webcam(camera: CameraConfig, machine: Machine, own_pid: int) -> Iterator[Finding]:
    device = f"/dev/video{camera.device}" if camera.device.isdecimal() else camera.device
    if not machine.path(device).exists():
        others = ", ".join(machine.devices("video*")) or "none"
        yield fault(
            "camera",
            f"{device} is not there; video devices: {others}.",
            "No picture can be taken.",
            "Plug the webcam in, or set [camera] device to one that is there (v4l2-ctl --list-devices).",
        )
        return
    yield from _usable([device], machine, own_pid)


def _usable(devices: Sequence[str], machine: Machine, own_pid: int) -> Iterator[Finding]:
    closed = [device for device in devices if not machine.reaches(machine.path(device))]
    if closed:
        says = "This user may not use the camera."
        yield fault("camera", f"{closed[0]} may not be read and written.", says, _VIDEO_GROUP)
    taken = holders(machine, devices, own_pid)
    if taken:
        yield fault(
            "camera",
            f"The camera is taken by {', '.join(taken)}.",
            "A camera serves one program at a time.",
            "End that program; the companion's own service: sudo systemctl stop quilt-companion",
        )
    if not closed and not taken:
        yield ok("camera", f"{', '.join(devices[:3])}{' and more' if len(devices) > 3 else ''}: free to be used.")


def _folder(camera: CameraConfig) -> Finding:
    path = camera.path
    if path is None or not path.exists() or not os.access(path, os.R_OK):
        says = "There are no pictures to look at."
        return fault("camera", f"{path} is not there, or cannot be read.", says, "Set [camera] path.")
    return ok("camera", f"Pictures come from {path}.")
