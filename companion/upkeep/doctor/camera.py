"""The checks of the camera: that it exists, that this user may open it, and that no other program uses it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from companion.languages import Sentence, any_of, listed, said
from hardware.diagnosis import Finding, Machine, fault, note, ok

if TYPE_CHECKING:
    from companion.config import CameraConfig

_LISTED: Final = re.compile(r"^\s*(\d+)\s*:\s*(\S+)", re.MULTILINE)
_LISTERS: Final = ("rpicam-hello", "libcamera-hello")
_VIDEO_GROUP: Final = said("{command}, then log in again", command="sudo usermod -aG video $USER")
_ABOUT: Final = said("camera")


def check_camera(camera: CameraConfig, machine: Machine, own_pid: int) -> Iterator[Finding]:
    """Yield the findings on the configured camera or folder of pictures; none for a simulated camera."""
    if camera.driver == "pi":
        yield from _pi_camera(camera, machine, own_pid)
    elif camera.driver == "webcam":
        yield from _webcam(camera, machine, own_pid)
    elif camera.driver == "folder":
        yield _folder(camera)


def cameras_there(machine: Machine) -> Finding:
    """Return the finding that lists the video devices, for a configuration that uses none."""
    devices = machine.devices("video*")
    if not devices:
        return note(_ABOUT, said("There is no video device on this machine."), do=said("Plug a camera in."))
    return note(_ABOUT, said("There are video devices: {names}.", names=listed(devices)), do=_driver("pi", "webcam"))


def _driver(*names: str) -> Sentence:
    return said("{key} = {names}", key="[camera] driver", names=any_of([f'"{name}"' for name in names]))


def holders(machine: Machine, devices: Sequence[str], own_pid: int) -> list[Sentence]:
    """Return the programs that have one of the devices open, such as "obs (process 812)".

    Only processes that this user may inspect are found.
    """
    wanted = {str(machine.path(device)) for device in devices} | set(devices)
    found: list[Sentence] = []
    for process in sorted(machine.path("/proc").glob("[0-9]*"), key=lambda path: int(path.name)):
        if int(process.name) != own_pid and wanted & set(_open_files(machine, process.name)):
            name = machine.text(f"/proc/{process.name}/comm") or said("a program")
            found.append(said("{name} (process {number})", name=name, number=process.name))
    return found


def _open_files(machine: Machine, pid: str) -> Iterator[str]:
    try:
        for link in machine.path(f"/proc/{pid}/fd").iterdir():
            yield str(link.readlink())
    except OSError:
        return  # The process has ended, or is another user's.


def _pi_camera(camera: CameraConfig, machine: Machine, own_pid: int) -> Iterator[Finding]:
    devices = [*machine.devices("media*"), *machine.devices("video*")]
    if not devices:
        yield fault(
            _ABOUT,
            said("There is no camera device."),
            said("The kernel has not found a camera on the connector."),
            said(
                "Switch off, check both ends of the ribbon cable (contacts facing contacts), and switch on. For a "
                "camera that is not from Raspberry Pi: its {setting} in {file}.",
                setting="dtoverlay",
                file="/boot/firmware/config.txt",
            ),
        )
        return
    yield from _usable(devices, machine, own_pid)
    # The program was renamed with bookworm.
    listing = next((text for text in (machine.run([name, "--list-cameras"]) for name in _LISTERS) if text), None)
    if listing is None:
        says = said("{program} is missing or fails, so the cameras cannot be listed.", program=_LISTERS[0])
        yield note(_ABOUT, says, do="sudo apt install rpicam-apps-lite")
        return
    there = dict(_LISTED.findall(listing))
    if camera.device in there:
        yield ok(_ABOUT, said("Camera {number} was found: {name}.", number=camera.device, name=there[camera.device]))
    else:
        others = [said("{number} ({name})", number=number, name=name) for number, name in there.items()]
        yield fault(
            _ABOUT,
            said(
                "Camera {number} was not found; libcamera lists {cameras}.",
                number=camera.device,
                cameras=listed(others or [said("none")]),
            ),
            said("No picture can be taken."),
            said("Check the ribbon cable, or set {key} to one of the numbers listed.", key="[camera] device"),
        )


def _webcam(camera: CameraConfig, machine: Machine, own_pid: int) -> Iterator[Finding]:
    device = f"/dev/video{camera.device}" if camera.device.isdecimal() else camera.device
    if not machine.path(device).exists():
        yield fault(
            _ABOUT,
            said(
                "{device} does not exist; video devices: {others}.",
                device=device,
                others=listed(machine.devices("video*") or [said("none")]),
            ),
            said("No picture can be taken."),
            said(
                "Plug in the webcam, or set {key} to one that exists ({command}).",
                key="[camera] device",
                command="v4l2-ctl --list-devices",
            ),
        )
        return
    yield from _usable([device], machine, own_pid)


def _usable(devices: Sequence[str], machine: Machine, own_pid: int) -> Iterator[Finding]:
    closed = [device for device in devices if not machine.reaches(machine.path(device))]
    if closed:
        says = said("This user is not allowed to use the camera.")
        yield fault(
            _ABOUT, said("This user is not allowed to read and write {device}.", device=closed[0]), says, _VIDEO_GROUP
        )
    taken = holders(machine, devices, own_pid)
    if taken:
        yield fault(
            _ABOUT,
            said("The camera is in use by {names}.", names=listed(taken)),
            said("A camera serves one program at a time."),
            said(
                "Stop that program; to stop the companion’s own service: {command}",
                command="sudo systemctl stop quilt-companion",
            ),
        )
    if not closed and not taken:
        yield ok(_ABOUT, _free(devices))


def _free(devices: Sequence[str]) -> Sentence:
    named = listed(devices[:3])
    if len(devices) > 3:
        return said("{devices} and more: free to use.", devices=named)
    return said("{devices}: free to use.", devices=named)


def _folder(camera: CameraConfig) -> Finding:
    path = camera.path
    if path is None or not path.exists() or not os.access(path, os.R_OK):
        says = said("There are no pictures to look at.")
        return fault(
            _ABOUT,
            said("{path} does not exist or cannot be read.", path=str(path)),
            says,
            said("Set {key}.", key="[camera] path"),
        )
    return ok(_ABOUT, said("Pictures come from {path}.", path=str(path)))
