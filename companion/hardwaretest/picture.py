"""The camera: its pace, sharpness and exposure, and whether the mats are seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from calibration.mat import load_mats
from companion.calibrating.remarks import Code
from companion.calibrating.survey import cell_px, mat_remarks, survey
from companion.hardwaretest.step import SKIP, Moment, Prompt, Step, Verdict
from companion.lightshow.colours import NEUTRAL
from vision.fiducials import FiducialDetector

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.calibrating.survey import SeenMat
    from hardware.ports import Frame, LightStrip

FRAMES: Final = 12
PATIENCE_S: Final = 30.0
_MOST_WHITE: Final = 0.10
"""Share of a picture's pixels without any drawing left in them; a table with mats under a lamp has below 0.02."""
_SLOW: Final = 0.6
"""Of the pace that is configured."""


class PictureStep(Step):
    """Looks at a dozen pictures.

    Args:
        size: width and height that are configured, in pixels.
        fps: pictures a second that are configured.
        strip: shows the neutral light meanwhile; None where there is none.
        mats: whether mats are to be seen.
    """

    title = "Camera"
    wants_frames = True

    def __init__(self, size: tuple[int, int], fps: float, strip: LightStrip | None, *, mats: bool = True) -> None:
        super().__init__()
        self._size, self._fps, self._strip, self._mats = size, fps, strip, mats
        self._frames: list[Frame] = []
        self._since_s = 0.0
        self._trouble = ""

    def begin(self, now_s: float) -> None:
        """Light the table as in a game."""
        self._since_s = now_s
        says = "Lay the mats and the empty boards under the camera, and take your hands away."
        self.prompt = Prompt(says if self._mats else "Lay the empty boards under the camera, and take your hands away.")
        if self._strip is not None:
            self._strip.show([NEUTRAL] * self._strip.pixel_count)

    def tick(self, moment: Moment) -> None:
        """Take a picture."""
        self._trouble = moment.trouble or self._trouble
        if moment.answer == SKIP:
            self._found(Verdict.SKIPPED, "camera", "It was not tried.")
            self._end()
        elif moment.frame is not None:
            self._frames.append(moment.frame)
            if len(self._frames) >= FRAMES:
                self._judge()
                self._end()
        elif moment.now_s - self._since_s >= PATIENCE_S:
            says = f"It gives no pictures: {self._trouble or 'nothing is heard of it'}"
            self._found(Verdict.FAULT, "camera", says, "companion doctor says more of it.")
            self._end()

    def _judge(self) -> None:
        frame = self._frames[-1]
        height, width = frame.image.shape[:2]
        span_s = frame.t_s - self._frames[0].t_s
        pace = (len(self._frames) - 1) / span_s if span_s > 0 else 0.0
        exposed = {
            name: float(value)
            for name, key in (("exposure_us", "ExposureTime"), ("gain", "AnalogueGain"))
            if isinstance(value := frame.metadata.get(key), int | float)
        }
        says = f"Pictures of {width}x{height} come {pace:.1f} times a second."
        figures = {"width_px": float(width), "height_px": float(height), "fps": pace, **exposed}
        self._found(Verdict.OK, "camera", says, figures=figures)
        if (width, height) != self._size:
            do = f"Set size = [{width}, {height}] under [camera], or choose one that the camera has."
            self._found(Verdict.POOR, "camera", f"{self._size[0]}x{self._size[1]} is configured.", do)
        if 0 < pace < _SLOW * self._fps:
            do = "More light (a dark room makes for long exposures), or a smaller fps under [camera]."
            self._found(Verdict.POOR, "camera", f"{self._fps:g} a second are configured.", do)
        self._judge_light(frame)
        if self._mats:
            self._judge_mats(frame, (width, height))

    def _judge_light(self, frame: Frame) -> None:
        white = float((frame.image >= 253).all(axis=2).mean())
        grey = float(np.median(frame.image))
        says = f"The picture's median is {grey:.0f} of 255; {white:.1%} of it is overexposed."
        figures = {"median": grey, "overexposed": white}
        if white > _MOST_WHITE:
            do = "Less light, or no lamp that mirrors in the table."
            self._found(Verdict.FAULT, "exposure", says, do, figures)
        elif grey < 25:
            self._found(Verdict.FAULT, "exposure", says, "Switch on a lamp.", figures)
        else:
            self._found(Verdict.OK, "exposure", says, figures=figures)

    def _judge_mats(self, frame: Frame, size_px: tuple[int, int]) -> None:
        mats = load_mats()
        seen = survey(frame.image, mats, FiducialDetector(mats[0].dictionary).detect(frame.image))
        remarks = mat_remarks(seen, size_px)
        if any(remark.code is Code.BLURRED for remark in remarks):
            # That is why.
            remarks = [remark for remark in remarks if remark.code is not Code.NO_MARKER]
        for remark in remarks:
            verdict = Verdict.FAULT if remark.blocks else Verdict.POOR
            says, _, do = remark.says.rpartition(": ")
            says, do = (says, do) if says else (do, "")
            self._found(verdict, "camera", says if says.endswith(".") else f"{says}.", do[:1].upper() + do[1:])
        figures = _figures(seen)
        if figures:
            says = (
                f"{figures['markers']:.0f} of 8 markers are seen; blur {figures['blur_px']:.1f} px, "
                f"{figures['cell_px']:.0f} px a cell, white paper {figures['paper']:.0f} of 255."
            )
            blocked = any(remark.blocks for remark in remarks)
            self._found(Verdict.POOR if blocked else Verdict.OK, "mats", says, figures=figures)


def _figures(seen: Mapping[int, SeenMat]) -> dict[str, float]:
    sizes = [cell_px(mat.guess) for mat in seen.values() if mat.guess is not None]
    if not sizes:
        return {}
    return {
        "markers": float(sum(len(mat.markers) for mat in seen.values())),
        "blur_px": max(mat.blur_px for mat in seen.values()),
        "cell_px": min(sizes),
        "paper": min(mat.paper for mat in seen.values()),
    }
