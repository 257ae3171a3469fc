"""A table recording as a worse camera would have taken it: a changed copy, the same for the same arguments.

    python -m bench.reading.cameras RECORDING TARGET sway [--step 2] [--seed 1]

The kinds are those of `bench.stresses` that lie in the camera, and their steps, from 1; `dim` is the light's as well.
`companion replay TARGET` reads the copy. The recording's own camera is the baseline.
"""

import argparse
import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from bench.stresses import STRESSES
from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing import Image, bytes_of
from hardware.simulated.drawing.light import Drift
from hardware.simulated.drawing.pinhole import Sensor
from hardware.simulated.optics import Optics

KINDS: Final = (
    "sway", "sag", "breathing", "veil", "flicker", "hunting", "phone", "webcam", "upside-down", "dim", "defocus",
    "jpeg", "sensor",
)  # fmt: skip
# What the recording's camera has done already is not done again.
_NOTHING: Final = Conditions(noise=0.0, drift=0.0, defocus_px=0.0, jpeg_quality=92)


def camera_conditions(kind: str, step: int) -> Conditions:
    """Return the strengths of one step, from 1, without the ordinary faults of a simulated table's camera."""
    ordinary = asdict(Conditions())
    changed = {name: value for name, value in asdict(STRESSES[kind][step - 1]).items() if value != ordinary[name]}
    return _NOTHING.but(**changed)


def seen_through(
    pictures: Sequence[tuple[float, Image]], conditions: Conditions, rng: np.random.Generator
) -> Iterator[Image]:
    """Yield pictures, given with their times in seconds, as a worse camera would have taken them."""
    height, width = pictures[0][1].shape[:2]
    optics, drift = Optics(conditions, rng), Drift(conditions, rng)
    sensor = Sensor(
        (width, height), conditions.noise, conditions.jpeg_quality, rng,
        shot=conditions.shot_noise, chroma=conditions.chroma_noise,
    )  # fmt: skip
    for t_s, picture in pictures:
        image = bytes_of(cv2.rotate(picture, cv2.ROTATE_180)) if conditions.upside_down else picture
        if conditions.defocus_px > 0:
            image = bytes_of(cv2.GaussianBlur(image, (0, 0), conditions.defocus_px))
        yield sensor.expose(optics.exposed(drift.apply(optics.through_lens(image, t_s), t_s)), optics.processed)


def main() -> None:
    """Write the copy."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recording", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--step", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    (args.target / "frames").mkdir(parents=True)
    for name in ("recording.toml", "events.jsonl"):
        shutil.copy(args.recording / name, args.target / name)
    lines = (args.recording / "events.jsonl").read_text(encoding="utf-8").splitlines()
    frames = [(event["t"], event["frame"]) for event in map(json.loads, lines) if "frame" in event]
    pictures = [(t_s, bytes_of(cv2.imread(str(args.recording / "frames" / name)))) for t_s, name in frames]
    conditions = camera_conditions(args.kind, min(args.step, len(STRESSES[args.kind])))
    changed = seen_through(pictures, conditions, np.random.default_rng(args.seed))
    for (_, name), image in zip(frames, changed, strict=True):
        cv2.imwrite(str(args.target / "frames" / name), image, [cv2.IMWRITE_JPEG_QUALITY, 95])


if __name__ == "__main__":
    main()
