from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from hardware.ports import CameraError, EndOfFramesError
from hardware.simulated.camera import SimulatedCamera, Spoilt
from hardware.simulated.devices import SimulatedClock

if TYPE_CHECKING:
    from numpy.typing import NDArray


class _Stage:
    def __init__(self) -> None:
        self.over = False
        self.steps: list[float] = []

    def step(self, now_s: float) -> None:
        self.steps.append(now_s)

    def picture(self, now_s: float) -> NDArray[np.uint8]:
        return np.full((4, 4, 3), round(now_s * 100), np.uint8)


@pytest.fixture
def stage() -> _Stage:
    return _Stage()


def _camera(stage: _Stage, fps: float = 5) -> SimulatedCamera:
    return SimulatedCamera(stage, SimulatedClock(), fps)


def test_each_capture_lets_the_evening_go_on_for_one_frames_time(stage: _Stage) -> None:
    camera = _camera(stage)
    frames = [camera.capture() for _ in range(3)]
    assert stage.steps == pytest.approx([0.2, 0.4, 0.6])
    assert [frame.t_s for frame in frames] == stage.steps
    assert [frame.name for frame in frames] == ["000000.jpg", "000001.jpg", "000002.jpg"]
    assert camera.taken == 3


def test_frames_end_with_the_evening(stage: _Stage) -> None:
    camera = _camera(stage)
    camera.capture()
    stage.over = True
    with pytest.raises(EndOfFramesError, match="simulated game is over"):
        camera.capture()


def test_it_fails_as_often_as_it_was_told_and_then_goes_on(stage: _Stage) -> None:
    camera = _camera(stage)
    camera.fail_next("no signal")
    camera.fail_next()
    with pytest.raises(CameraError, match="no signal"):
        camera.capture()
    with pytest.raises(CameraError, match="cable"):
        camera.capture()
    assert camera.capture().name == "000000.jpg"


def test_a_frozen_sensor_repeats_its_picture_while_time_goes_on(stage: _Stage) -> None:
    camera = _camera(stage)
    first = camera.capture()
    camera.spoil_next(Spoilt.FROZEN, 2)
    frozen = [camera.capture() for _ in range(2)]
    assert all((frame.image == first.image).all() for frame in frozen)
    assert frozen[1].t_s == pytest.approx(0.6)
    assert (camera.capture().image != first.image).all()


def test_pictures_are_not_to_be_written_to(stage: _Stage) -> None:
    with pytest.raises(ValueError, match="read-only"):
        _camera(stage).capture().image[0, 0, 0] = 1


def test_a_camera_without_frames_per_second_is_refused(stage: _Stage) -> None:
    with pytest.raises(ValueError, match="above 0"):
        _camera(stage, 0)


def test_a_camera_that_was_pulled_out_gives_nothing_until_it_is_plugged_in(stage: _Stage) -> None:
    clock = SimulatedClock()
    camera = SimulatedCamera(stage, clock, fps=5)
    camera.unplug()
    for _ in range(2):
        with pytest.raises(CameraError, match="simulated camera: the cable is loose"):
            camera.capture()
    camera.plug_in()
    assert camera.still().t_s == clock.now()


def test_pictures_are_spoilt_as_often_and_in_the_order_it_was_told(stage: _Stage) -> None:
    camera = _camera(stage)
    before = camera.capture().image
    camera.spoil_next(Spoilt.BLACK, 2)
    camera.spoil_next(Spoilt.SMALL)
    assert [camera.capture().image.max() for _ in range(2)] == [0, 0]
    assert camera.capture().image.shape == (2, 2, 3)
    after = camera.capture().image
    assert after.shape == before.shape
    assert after.min() > before.max()


def test_pictures_are_spoilt_no_more_once_that_is_said(stage: _Stage) -> None:
    camera = _camera(stage)
    camera.spoil_next(Spoilt.BLACK, 9)
    assert camera.capture().image.max() == 0
    camera.spoil_no_more()
    assert camera.capture().image.min() > 0


def test_a_torn_picture_is_half_of_this_moment_and_half_of_the_one_before(stage: _Stage) -> None:
    camera = _camera(stage)
    before = camera.capture().image
    camera.spoil_next(Spoilt.TORN)
    torn = camera.capture().image
    assert (torn[:2] == 40).all()
    assert (torn[2:] == before[2:]).all()


def test_a_picture_tears_after_a_small_one_too(stage: _Stage) -> None:
    camera = _camera(stage)
    camera.spoil_next(Spoilt.SMALL)
    camera.spoil_next(Spoilt.TORN)
    assert camera.capture().image.shape != camera.capture().image.shape
    assert camera.capture().image.shape == camera.capture().image.shape


def test_a_late_picture_is_of_its_own_moment(stage: _Stage) -> None:
    clock = SimulatedClock()
    camera = SimulatedCamera(stage, clock, fps=5)
    camera.spoil_next(Spoilt.LATE)
    assert camera.capture().t_s == pytest.approx(0.2)
    assert clock.now() == pytest.approx(1.2)


def test_the_first_picture_can_neither_repeat_nor_tear(stage: _Stage) -> None:
    camera = _camera(stage)
    camera.spoil_next(Spoilt.TORN)
    assert (camera.capture().image == 20).all()


def test_a_lent_camera_is_given_back_and_lent_again(stage: _Stage) -> None:
    camera = _camera(stage)
    lent = camera.lent()
    assert lent.capture().name == "000000.jpg"
    lent.close()
    with pytest.raises(EndOfFramesError):
        lent.still()
    assert camera.lent().still().name == "000001.jpg"


def test_a_camera_that_is_missing_or_that_another_program_has_is_not_lent(stage: _Stage) -> None:
    camera = _camera(stage)
    lent = camera.lent()
    camera.occupy()
    with pytest.raises(CameraError, match="another program has it open"):
        camera.lent()
    assert lent.capture().name == "000000.jpg", "whoever has it keeps it"
    camera.vacate()
    camera.unplug()
    with pytest.raises(CameraError, match="cable"):
        camera.lent()
    camera.plug_in()
    camera.lent()
