"""A phone as the camera."""

from threading import Thread

import cv2
import numpy as np
import pytest

from companion.pictures import LONGEST_PX
from hardware.clock import SystemClock
from hardware.driver import CameraDriver, OpenContext
from hardware.drivers import phone
from hardware.drivers.phone import PhoneCamera
from hardware.handset import HANDSET, Handset
from hardware.ports import CameraError, EndOfFramesError


def jpeg(grey: int, size: tuple[int, int] = (90, 160)) -> bytes:
    return cv2.imencode(".jpg", np.full((*size, 3), grey, np.uint8))[1].tobytes()


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phone, "_PATIENCE_S", 0.02)
    monkeypatch.setattr(phone, "_STILL_PATIENCE_S", 0.02)


def test_the_newest_picture_is_passed_on_once() -> None:
    handset = Handset()
    handset.put(jpeg(10))
    camera = PhoneCamera(SystemClock(), handset=handset)
    handset.put(jpeg(60))
    handset.put(jpeg(200))
    frame = camera.capture()
    assert abs(int(frame.image[0, 0, 0]) - 200) < 3
    assert (frame.image.shape, frame.image.flags.writeable, frame.name) == ((90, 160, 3), False, "000000.jpg")
    with pytest.raises(CameraError, match="the phone sends no pictures"):
        camera.capture()
    handset.put(jpeg(30))
    assert camera.still().name == "000001.jpg", "no photograph comes"


def test_a_photograph_is_asked_for_and_decoded_in_its_own_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phone, "_STILL_PATIENCE_S", 20)
    handset = Handset()
    camera = PhoneCamera(SystemClock(), handset=handset)

    def answer() -> None:
        while not handset.wants_still:
            pass
        handset.put_still(jpeg(80, (1200, 1600)))

    answering = Thread(target=answer)
    answering.start()
    assert camera.still().image.shape == (1200, 1600, 3)
    answering.join()
    assert not handset.wants_still


def test_a_turned_phone_and_other_files_are_faults_that_pass() -> None:
    handset = Handset()
    camera = PhoneCamera(SystemClock(), handset=handset)
    huge = jpeg(10, (2, LONGEST_PX + 1))
    faults = {jpeg(10, (160, 90)): "the phone was turned", b"text": "reload /camera", huge: "reload /camera"}
    for content, says in {jpeg(10): "", **faults}.items():
        handset.put(content)
        if says:
            with pytest.raises(CameraError, match=says):
                camera.capture()
        else:
            camera.capture()
    handset.put(jpeg(10))
    assert camera.capture().image.shape == (90, 160, 3)
    # One that was reopened meanwhile finds the same fault.
    reopened = PhoneCamera(SystemClock(), handset=handset)
    handset.put(jpeg(10, (160, 90)))
    with pytest.raises(CameraError, match="the phone was turned"):
        reopened.capture()


def test_a_closed_camera_has_no_more_pictures() -> None:
    camera = PhoneCamera(SystemClock(), handset=Handset())
    camera.close()
    camera.close()
    with pytest.raises(EndOfFramesError):
        camera.capture()


def test_it_is_chosen_by_name_and_opens_without_a_phone() -> None:
    driver = CameraDriver.of({"driver": "phone", "size": [1920, 1080]})
    assert driver.reopens
    camera = driver.open(OpenContext(SystemClock()))
    HANDSET.put(jpeg(90))
    assert camera.capture().image.shape == (90, 160, 3)
    camera.close()
