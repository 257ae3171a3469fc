"""The tests of the camera's pace, sharpness and exposure, of the mats' visibility, and of the strip's influence."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.mat import load_mats
from companion.calibrating.boards import mat_figures, mat_remarks, survey
from companion.calibrating.remarks import RemarkCode
from companion.languages import in_turn, said
from companion.lights import BLACK, NEUTRAL, all_scaled, seat_colour
from companion.upkeep.hardware_test.course import SKIP, HardwareStep, Moment, Prompt, Verdict
from hardware.ports import RGB, Frame, LightStrip
from vision import reductions
from vision.fiducials import FiducialDetector

FRAMES: Final = 12
"""Enough for the frame rate; the last one is examined, when the exposure has settled."""
PATIENCE_S: Final = 30.0
_ABOUT: Final = said("camera")
_SECTION: Final = "[camera]"
# The share of overexposed pixels that counts as a fault; a table with mats under a lamp has less than 0.02.
_MOST_WHITE: Final = 0.10
# The share of the configured frame rate below which frames count as slow.
_SLOW: Final = 0.6


class PictureStep(HardwareStep):
    """The step that examines a dozen pictures.

    Args:
        size: the configured width and height, in pixels.
        fps: the configured frame rate, in pictures per second.
        strip: the strip, which shows the neutral light meanwhile; None if there is none.
        mats: whether mats must be visible.
    """

    title = said("Camera")
    wants_frames = True

    def __init__(self, size: tuple[int, int], fps: float, strip: LightStrip | None, *, mats: bool = True) -> None:
        super().__init__()
        self._size, self._fps, self._strip, self._mats = size, fps, strip, mats
        self._frames: list[Frame] = []
        self._since_s = 0.0
        self._trouble = ""

    def begin(self, now_s: float) -> None:
        """Show the neutral light, as in a game."""
        self._since_s = now_s
        says = said("Put the mats and the empty boards under the camera, and take your hands away.")
        boards = said("Put the empty boards under the camera, and take your hands away.")
        self.prompt = Prompt(says if self._mats else boards)
        if self._strip is not None:
            self._strip.show([NEUTRAL] * self._strip.pixel_count)

    def tick(self, moment: Moment) -> None:
        """Collect a picture, and examine them once there are enough."""
        self._trouble = moment.trouble or self._trouble
        if moment.answer == SKIP:
            self._found(Verdict.SKIPPED, _ABOUT, said("It was not tested."))
            self._end()
        elif moment.frame is not None:
            self._frames.append(moment.frame)
            if len(self._frames) >= FRAMES:
                self._judge()
                self._end()
        elif moment.now_s - self._since_s >= PATIENCE_S:
            says = said("It sends no pictures: {fault}", fault=self._trouble or said("it does not respond"))
            self._found(Verdict.FAULT, _ABOUT, says, said("{command} gives details.", command="companion doctor"))
            self._end()

    def _judge(self) -> None:
        frame = self._frames[-1]
        height, width = frame.image.shape[:2]
        span_s = frame.t_s - self._frames[0].t_s
        # A folder of pictures may give all of them the same time.
        pace = (len(self._frames) - 1) / span_s if span_s > 0 else 0.0
        exposed = {
            name: float(value)
            for name, key in (("exposure_us", "ExposureTime"), ("gain", "AnalogueGain"))
            if isinstance(value := frame.metadata.get(key), int | float)
        }
        says = said("It sends {pace} pictures of {size} per second.", size=f"{width}x{height}", pace=round(pace, 1))
        figures = {"width_px": float(width), "height_px": float(height), "fps": pace, **exposed}
        self._found(Verdict.OK, _ABOUT, says, figures=figures)
        if (width, height) != self._size:
            do = said(
                "Set {key} under {section}, or choose a size that the camera has.",
                key=f"size = [{width}, {height}]",
                section=_SECTION,
            )
            self._found(Verdict.POOR, _ABOUT, said("{size} is configured.", size="{}x{}".format(*self._size)), do)
        if 0 < pace < _SLOW * self._fps:
            do = said(
                "Use more light (a dark room needs long exposures), or a smaller {key} under {section}.",
                key="fps",
                section=_SECTION,
            )
            self._found(Verdict.POOR, _ABOUT, said("{pace} per second are configured.", pace=self._fps), do)
        self._judge_light(frame)
        if self._mats:
            self._judge_mats(frame)

    def _judge_light(self, frame: Frame) -> None:
        white = float((reductions.darkest(frame.image) >= 253).mean())
        grey = float(np.median(frame.image))
        says = said(
            "The picture’s median is {grey} of {most}; {percent}% of it is overexposed.",
            grey=round(grey),
            most=255,
            percent=round(100 * white, 1),
        )
        figures = {"median": grey, "overexposed": white}
        if white > _MOST_WHITE:
            do = said("Use less light, or move the lamp that reflects in the table.")
            self._found(Verdict.FAULT, said("exposure"), says, do, figures)
        elif grey < 25:
            self._found(Verdict.FAULT, said("exposure"), says, said("Switch on a lamp."), figures)
        else:
            self._found(Verdict.OK, said("exposure"), says, figures=figures)

    def _judge_mats(self, frame: Frame) -> None:
        mats = load_mats()
        seen = survey(frame.image, mats, FiducialDetector(mats[0].dictionary).detect(frame.image))
        remarks = mat_remarks(seen, frame.image)
        if any(remark.code is RemarkCode.BLURRED for remark in remarks):
            # The blur explains the missing markers.
            remarks = [remark for remark in remarks if remark.code is not RemarkCode.NO_MARKER]
        for remark in remarks:
            verdict = Verdict.FAULT if remark.blocks else Verdict.POOR
            self._found(verdict, _ABOUT, remark.fault, remark.do)
        figures = mat_figures(seen)
        if figures:
            says = said(
                "{markers} of {all} markers are seen; blur {blur} px, {cell} px a square, "
                "white paper {paper} of {most}.",
                markers=round(figures["markers"]),
                all=8,
                blur=round(figures["blur_px"], 1),
                cell=round(figures["cell_px"]),
                paper=round(figures["paper"]),
                most=255,
            )
            blocked = any(remark.blocks for remark in remarks)
            self._found(Verdict.POOR if blocked else Verdict.OK, said("mats"), says, figures=figures)


SETTLE_FRAMES: Final = 3
"""The number of pictures skipped after a change of the light, as they may show some of both."""
AVERAGED_FRAMES: Final = 4
"""The number of pictures averaged under each light, against the sensor's noise."""
UNSTEADY: Final = 3.0
"""The difference between two measurements under the same light, in grey levels, above which the room is unsteady; in a
steady room the mean stays within 0.5."""
TINTED: Final = 8.0
"""The change of a picture's mean by the strip's colours, in grey levels, that is reported as poor; reading tolerates
more, and never happens under these colours."""
# For all lights together; slow cameras send one picture a second.
_PATIENCE_S: Final = 60.0
_LIGHTS: Final[tuple[tuple[str, RGB], ...]] = (
    ("neutral", NEUTRAL),
    ("dark", BLACK),
    ("seat 1", seat_colour(1)),
    ("seat 2", seat_colour(2)),
    # The same light at the end as at the beginning shows whether the room itself has changed.
    ("neutral again", NEUTRAL),
)

_ABOUT_BOTH: Final = said("strip and camera")


class DisturbanceStep(HardwareStep):
    """The step that takes pictures under the neutral light, with the strip off, and under its strongest colours.

    Args:
        strip: the strip, with its current limited.
        brightness: the configured brightness, 0 to 1.
    """

    title = said("Strip and camera")
    wants_frames = True

    def __init__(self, strip: LightStrip, brightness: float) -> None:
        super().__init__()
        self._strip, self._brightness = strip, brightness
        self._left = list(_LIGHTS)
        self._means: dict[str, NDArray[np.float64]] = {}
        self._taken: list[NDArray[np.float64]] = []
        self._since_s = 0.0

    def begin(self, now_s: float) -> None:
        """Show the first light."""
        self._since_s = now_s
        self.prompt = Prompt(
            said("The strip changes its light while the camera watches: leave everything where it is.")
        )
        self._show()

    def tick(self, moment: Moment) -> None:
        """Measure a picture, and go on to the next light after enough of them."""
        if moment.answer == SKIP or moment.now_s - self._since_s >= _PATIENCE_S:
            self._found(Verdict.SKIPPED, _ABOUT_BOTH, said("The effect of the strip on the camera was not measured."))
            self._finish()
        elif moment.frame is not None:
            self._taken.append(np.array(cv2.mean(moment.frame.image)[:3]))
            if len(self._taken) >= SETTLE_FRAMES + AVERAGED_FRAMES:
                self._next_light()

    def _show(self) -> None:
        wanted = [self._left[0][1]] * self._strip.pixel_count
        self._strip.show(all_scaled(wanted, self._brightness))

    def _next_light(self) -> None:
        name, _ = self._left.pop(0)
        self._means[name] = np.mean(self._taken[SETTLE_FRAMES:], axis=0)
        self._taken.clear()
        if self._left:
            self._show()
        else:
            self._judge()
            self._finish()

    def _judge(self) -> None:
        neutral = (self._means["neutral"] + self._means["neutral again"]) / 2
        drift = _greatest(self._means["neutral"] - self._means["neutral again"])
        own = float((neutral - self._means["dark"]).mean())
        show = max(_greatest(self._means[name] - neutral) for name in ("seat 1", "seat 2"))
        figures = {"drift": drift, "neutral_light": own, "show": show}
        says = said(
            "The strip’s neutral light adds {own} grey levels to the picture; its colours change it by {show}.",
            own=round(own, 1),
            show=round(show, 1),
        )
        if drift > UNSTEADY:
            do = said("Check for daylight, a flickering lamp, or an exposure that is not locked.")
            changed = said("The picture changed by {drift} grey levels under the same light.", drift=round(drift, 1))
            self._found(Verdict.POOR, _ABOUT_BOTH, in_turn([changed, says]), do, figures)
        elif show > TINTED:
            do = said(
                "A game is read only under the neutral light; still, turn the strip away from the boards if you can."
            )
            self._found(Verdict.POOR, _ABOUT_BOTH, says, do, figures)
        else:
            self._found(Verdict.OK, _ABOUT_BOTH, says, figures=figures)

    def _finish(self) -> None:
        self._strip.show([BLACK] * self._strip.pixel_count)
        self._end()


def _greatest(difference: NDArray[np.float64]) -> float:
    return float(np.abs(difference).max())
