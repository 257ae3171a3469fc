"""`companion camera`: the connected cameras with their modes, and whether the configured one would read the boards."""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.mat import load_mats
from companion.calibrating.boards import mat_figures, mat_remarks, survey
from companion.cli.options import add_shared, config_of, language_of
from companion.compose.devices import open_camera
from companion.languages import listed, render, said
from companion.terminal.output import put
from hardware.clock import SystemClock
from hardware.v4l2 import VideoDevice, video_devices
from vision.fiducials import FiducialDetector

# Enough for the smallest and the largest modes that a game may use.
_MOST_MODES = 6


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_shared(parser, "--config", "--language")
    parser.description = said(
        "List the cameras that are connected, with their modes. Then look through the configured one, and say "
        "whether boards on their mats would be read: pixels a square, sharpness, light."
    )
    parser.add_argument("--list", action="store_true", help=said("list the cameras only"))
    parser.add_argument("--json", action="store_true", help=said("print one JSON object"))
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """List the cameras, and look through the configured one; the exit status is 1 if it would not read the boards."""
    config = config_of(args)
    language = language_of(args, config)
    devices = video_devices()
    seen: dict[str, Any] = {}
    lines = [] if args.json else list(_listed(devices))
    put("".join(f"{render(line, language)}\n" for line in lines))
    if not args.list and config.camera.driver != "simulated":
        camera = open_camera(config, SystemClock())
        try:
            seen = looked_at(camera.capture().image)
        finally:
            camera.close()
        if not args.json:
            put("".join(f"{render(line, language)}\n" for line in seen["says"]))
    if args.json:
        found = {key: [str(line) for line in value] if key == "says" else value for key, value in seen.items()}
        cameras = [asdict(device) | {"modes": [mode._asdict() for mode in device.modes]} for device in devices]
        put(json.dumps({"cameras": cameras, "picture": found or None}, ensure_ascii=False) + "\n")
    return 0 if seen.get("readable", True) else 1


def looked_at(image: NDArray[np.uint8]) -> dict[str, Any]:
    """Return what a picture, shape (height, width, 3), BGR, says of how well boards on their mats would be read.

    `readable` is whether nothing prevents it, `says` are sentences; the figures are those of the worse of both mats,
    absent if none is seen whole.
    """
    height, width = image.shape[:2]
    mats = load_mats()
    seen = survey(image, mats, FiducialDetector(mats[0].dictionary).detect(image))
    remarks = mat_remarks(seen, image)
    says: list[str] = [said("The picture has {size} pixels.", size=f"{width}x{height}")]
    figures: dict[str, Any] = {"width_px": width, "height_px": height}
    if of_mats := mat_figures(seen):
        cell, blur, paper = of_mats["cell_px"], of_mats["blur_px"], of_mats["paper"]
        figures |= {"cell_px": round(cell, 1), "blur_px": round(blur, 2), "paper": round(paper)}
        says.append(
            said(
                "A square is {cell} pixels wide; blur {blur} px; white paper {paper} of {most}.",
                cell=round(cell),
                blur=round(blur, 1),
                paper=round(paper),
                most=255,
            )
        )
    for remark in remarks:
        says += [each for each in (remark.fault, remark.do) if each]
    readable = not any(remark.blocks for remark in remarks)
    says.append(said("Boards would be read.") if readable else said("Boards would not be read yet."))
    return {**figures, "readable": readable, "says": says}


def _listed(devices: Sequence[VideoDevice]) -> Iterator[str]:
    if not devices:
        yield said("No USB camera is connected, or this user is not in the group {group}.", group="video")
    for device in devices:
        sizes: dict[str, float] = {}
        for mode in device.modes:
            size = f"{mode.width}x{mode.height}"
            sizes[size] = max(sizes.get(size, 0.0), mode.fps)
        modes = [f"{size} ({fps:g}/s)" for size, fps in list(sizes.items())[:_MOST_MODES]]
        yield said("{path}: {name}, {modes}", path=device.path, name=device.name, modes=listed(modes or [said("none")]))
        if device.lasting:
            yield f'  device = "{device.lasting}"'
