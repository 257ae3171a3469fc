"""Reading of recorded evenings as if the light, the lens or the camera's pose had been worse.

The recording's frames are from another renderer or a real table, and are degraded as the simulated table degrades its
own. So the stresses apply to pictures that are independent of the weights and the simulated table.
"""

from __future__ import annotations

import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from bench.reading.evenings import Judged, TimedReader, run_timed
from calibration.locator import CornerLocator, MatLocator
from calibration.mat import load_mat
from companion.games.patchwork.decisions import decision_to_json
from companion.games.patchwork.rules import History
from companion.journal import MemoryJournal
from companion.patchwork.codec import PatchworkTranscript
from companion.patchwork.reading.observer import QuiltComparer, QuiltObserver
from companion.patchwork.recording import read_head
from companion.patchwork.replaying import ReplayedTable
from companion.patchwork.watching.watch import TableWatch
from companion.play.loop import TableParts
from companion.registry import codecs
from hardware.ports import Frame
from hardware.recorded import RecordedCamera, RecordedControls, Tape
from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing.light import Drift, LightField
from hardware.simulated.drawing.pinhole import Pinhole, Sensor, pinhole_for
from vision.geometry import Homography

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from calibration.locator import QuiltLocator
    from companion.games.patchwork.decisions import Decision
    from companion.games.patchwork.rules import Outcome
    from companion.patchwork.reading.reader import Reader
    from companion.patchwork.reading.verdict import Question
    from companion.patchwork.recording import RecordingHead
    from hardware.ports import Camera

# The settings of conditions that a recording already has, which are not added a second time.
_AS_RECORDED: Final = {
    "gradient": 0.0, "window_shadow": 0.0, "glare": 0.0, "drift": 0.0, "colour_temperature_k": 5500.0, "noise": 0.5,
    "jpeg_quality": 96, "jitter_px": 0.0, "defocus_px": 0.0, "distortion": 0.0, "tilt_deg": 0.0,
}  # fmt: skip

KINDS: Final = (
    "gradient", "exposure", "colour-temperature", "hard-shadow", "glare", "dim", "height", "tilt", "defocus",
    "nudge-camera", "jpeg",
)  # fmt: skip
"""The stresses that can be applied to pictures; the others concern the players' behaviour."""

_ORDINARY: Final = Conditions()


def read_restaged(folder: Path, truth: Path, stress: Conditions | None, seed: int) -> Judged:
    """Read a recording under a stress, and return the results.

    Args:
        folder: the table recording.
        truth: its truth file, with the true decision of each press.
        stress: its differences from ordinary conditions are applied to the frames; None for the unchanged recording.
        seed: the seed of the light's places and the noise.
    """
    head, tape = read_head(folder), Tape(folder)
    book, history, transcript, judged = MemoryJournal(codecs()), History(head.setup), PatchworkTranscript(), Judged()
    recorded = RecordedCamera(tape)
    stage = None if stress is None else Restaging(stress, _size_px(folder), seed)
    watch = TableWatch(_locator(head, stage))
    observer = QuiltObserver(QuiltComparer(watch))
    told = json.loads(truth.read_text(encoding="utf-8"))
    parts = TableParts(
        camera=recorded if stage is None else _RestagedCamera(recorded, stage, _frame_count(folder)),
        controls=RecordedControls(tape),
        book=book,
        game_id=book.new_game(head.setup),
        history=history,
        listeners=(transcript,),
    )
    meant = [_plain(decision) for decision in told["decisions"]]
    table = _AnsweredTable(meant, parts, watch, observer, TimedReader(observer, 0.95, judged))
    run_timed(table, watch, judged)
    _judge(judged, history, transcript, told)
    return judged


class _AnsweredTable(ReplayedTable):
    """A replayed table whose questions are answered truthfully, so that a wrong answer does not spoil the rest."""

    def __init__(
        self,
        meant: Sequence[Mapping[str, Any]],
        parts: TableParts,
        watch: TableWatch,
        observer: QuiltObserver,
        reader: Reader,
    ) -> None:
        # Only the recorded presses are replayed, not the players' other commands.
        super().__init__(tuple, parts, watch, observer, reader)
        self._meant = meant

    def _close_question(self, question: Question, taken: Decision | None, outcome: Outcome | None = None) -> None:
        number = len(self.history.decisions)
        known = self._meant[number] if number < len(self._meant) else None
        true = [option for option in question.options if _plain(decision_to_json(option)) == known]
        if true:
            taken, outcome = true[0], None
        super()._close_question(question, taken, outcome)


class Restaging:
    """A transform of pictures of (width, height) in pixels to another camera pose and worse light, lens and sensor."""

    def __init__(self, stress: Conditions, size_px: tuple[int, int], seed: int) -> None:
        changed = {
            field.name: getattr(stress, field.name)
            for field in fields(stress)
            if getattr(stress, field.name) != getattr(_ORDINARY, field.name)
        }
        conditions = Conditions(**{**_AS_RECORDED, "width_px": size_px[0], "height_px": size_px[1], **changed})
        rng = np.random.default_rng(seed)
        flat = pinhole_for(_ORDINARY.but(**_AS_RECORDED, width_px=size_px[0], height_px=size_px[1]), _still(seed))
        view = pinhole_for(conditions, _still(seed))
        self._size_px = size_px
        self._blur_px = conditions.defocus_px
        self.to_view = Homography(_between(flat, view))
        self._knocked = self.to_view
        if conditions.nudge_camera_mm:
            angle = rng.uniform(0, 2 * np.pi)
            offset = conditions.nudge_camera_mm * np.array([np.cos(angle), np.sin(angle)])
            self._knocked = Homography(_between(flat, view.moved((float(offset[0]), float(offset[1])))))
        self._light = LightField(conditions, view, rng)
        self._drift = Drift(conditions, rng)
        self._sensor = Sensor(size_px, conditions.noise, conditions.jpeg_quality, rng)

    def picture(self, image: NDArray[np.uint8], t_s: float, *, knocked: bool) -> NDArray[np.uint8]:
        """Return a picture under the stress, shape (height, width, 3), uint8.

        `knocked` is whether the camera has been nudged already.
        """
        view = (self._knocked if knocked else self.to_view).matrix
        if not np.allclose(view, np.eye(3), atol=1e-9):
            warped = cv2.warpPerspective(image, view, self._size_px, borderMode=cv2.BORDER_REPLICATE)
            image = np.asarray(warped, np.uint8)
        if self._blur_px:
            image = np.asarray(cv2.GaussianBlur(image, (0, 0), self._blur_px), np.uint8)
        lit = self._light.apply(image, (0, 0, *self._size_px))
        return self._sensor.expose(self._drift.apply(lit, t_s))


class _RestagedCamera:
    """A camera with a recording's frames under a stress, which may nudge the camera half-way."""

    def __init__(self, camera: Camera, stage: Restaging, frames: int) -> None:
        self._camera, self._stage, self._left = camera, stage, frames
        self._half = frames // 2

    def capture(self) -> Frame:
        frame = self._camera.capture()
        self._left -= 1
        image = self._stage.picture(frame.image, frame.t_s, knocked=self._left < self._half)
        image.setflags(write=False)
        return Frame(image, frame.t_s, frame.name)

    def close(self) -> None:
        self._camera.close()


def _still(seed: int) -> np.random.Generator:
    """Return a generator with a fixed seed, so that both views have the same small errors of the camera's set-up."""
    return np.random.default_rng(seed)


def _between(flat: Pinhole, view: Pinhole) -> NDArray[np.float64]:
    """Return the map from pixels of one view of the table to another's, both without distortion."""
    matrix = _to_frame(view) @ view.plane() @ np.linalg.inv(_to_frame(flat) @ flat.plane())
    return np.asarray(matrix / matrix[2, 2])


def _to_frame(camera: Pinhole) -> NDArray[np.float64]:
    """Return the map from pinhole space, which is slightly larger, to the frame."""
    (width, height), (wide, high) = camera.size_px, camera.canvas_px
    return np.array([[1, 0, (width - wide) / 2], [0, 1, (height - high) / 2], [0, 0, 1.0]])


def _locator(head: RecordingHead, stage: Restaging | None) -> QuiltLocator:
    if head.corners is None:
        return MatLocator(load_mat())
    moved = head.corners if stage is None else [stage.to_view(np.asarray(quad)) for quad in head.corners]
    return CornerLocator(moved)


def _frame_count(folder: Path) -> int:
    return sum(1 for _ in (folder / "frames").iterdir())


def _size_px(folder: Path) -> tuple[int, int]:
    first = cv2.imread(str(min((folder / "frames").iterdir())))
    assert first is not None
    return int(first.shape[1]), int(first.shape[0])


def _judge(judged: Judged, history: History, transcript: PatchworkTranscript, truth: Mapping[str, Any]) -> None:
    """Compare the decisions and each press of confirm with the truth."""
    read = [_plain(decision_to_json(decision)) for decision in history.decisions]
    meant = [_plain(decision) for decision in truth["decisions"]]
    windows = _windows(truth["buttons"])
    wrong = [number for number, decision in enumerate(meant) if number >= len(read) or read[number] != decision]
    asked = {
        json.dumps(_plain(button["decision"]), sort_keys=True)
        for button, since in windows
        if button.get("decision") and _between_presses(transcript.questions, since, button["frame"])
    }
    judged.silent = sum(json.dumps(meant[number], sort_keys=True) not in asked for number in wrong)
    judged.finished, judged.right_quilts = history.state.finished, not wrong and len(read) == len(meant)
    judged.decisions, judged.questions = len(meant), len(transcript.questions)
    quilts = "".join("".join(seat["quilt"]) for seat in truth["result"]["seats"])
    covered = "".join("X" if seat.quilt >> index & 1 else "." for seat in history.state.seats for index in range(81))
    judged.wrong_cells = sum(a != b for a, b in zip(quilts, covered, strict=True))
    for button, since in windows:
        reasons = {row["reason"] for row in _between_presses(transcript.complaints, since, button["frame"])}
        planted = button.get("expect") == "complain"
        judged.missed += planted and not reasons
        judged.deserved += planted and bool(reasons)
        judged.misnamed += planted and bool(reasons) and button.get("reason") not in {None, *reasons}
        judged.undeserved += button.get("expect") == "accept" and bool(reasons)


def _windows(buttons: Iterable[Mapping[str, Any]]) -> list[tuple[Mapping[str, Any], str]]:
    """Return each press with the frame of the previous one; sentences between the two belong to it."""
    windows, since = [], ""
    for button in buttons:
        windows.append((button, since))
        since = max(since, button["frame"])
    return windows


def _between_presses(rows: Iterable[Mapping[str, Any]], since: str, until: str) -> list[Mapping[str, Any]]:
    return [row for row in rows if since < row["frame"] <= until]


def _plain(decision: Mapping[str, Any]) -> dict[str, Any]:
    """Return a decision with its essential keys only, and its cells sorted."""
    kept = {key: decision[key] for key in ("seat", "move", "patch") if key in decision}
    return {**kept, "cells": sorted(decision["cells"])} if "cells" in decision else kept
