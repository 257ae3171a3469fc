from __future__ import annotations

import numpy as np
import pytest

from hardware.ports import Camera, CameraError, EndOfFramesError


def test_frames_are_colour_pictures_of_one_size(camera: Camera) -> None:
    frames = [camera.capture() for _ in range(3)]
    assert {frame.image.shape for frame in frames} == {frames[0].image.shape}
    assert frames[0].image.ndim == 3
    assert frames[0].image.shape[2] == 3
    assert frames[0].image.dtype == np.uint8


def test_names_are_unique_and_ascending_and_time_does_not_run_backwards(camera: Camera) -> None:
    frames = [camera.capture() for _ in range(4)]
    names = [frame.name for frame in frames]
    assert len(set(names)) == 4
    assert names == sorted(names)
    times = [frame.t_s for frame in frames]
    assert times == sorted(times)


def test_a_frame_stays_as_it_was_when_the_next_one_is_taken(camera: Camera) -> None:
    first = camera.capture()
    before = first.image.copy()
    camera.capture()
    np.testing.assert_array_equal(first.image, before)


def test_after_close_there_are_no_more_frames(camera: Camera) -> None:
    camera.capture()
    camera.close()
    with pytest.raises(EndOfFramesError):
        camera.capture()


def test_close_may_be_called_twice_and_before_the_first_frame(camera: Camera) -> None:
    camera.close()
    camera.close()
    with pytest.raises(CameraError):
        camera.capture()


def test_images_are_not_to_be_written_to(camera: Camera) -> None:
    assert not camera.capture().image.flags.writeable
