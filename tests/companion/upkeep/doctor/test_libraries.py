from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.upkeep.doctor.libraries import check_arithmetic, check_picamera2, check_vision
from hardware.diagnosis import Level
from hardware.environment import Environment
from tests.companion.upkeep.doctor.conftest import faults, levels
from vision.arithmetic import numbers

if TYPE_CHECKING:
    from collections.abc import Callable


def loading(**errors: Exception) -> Callable[[str], object]:
    """A fake import that fails for given modules."""

    def load(module: str) -> object:
        if module in errors:
            raise errors[module]
        return object()

    return load


def versions(**known: str) -> Callable[[str], str | None]:
    return lambda name: known.get(name.replace("-", "_"))


INSTALLED = Environment(Path("/opt/quilt-companion"), Path("/usr"), writable=False, managed=True)
CLASH = ValueError("numpy.dtype size changed, may indicate binary incompatibility. Expected 96, got 88")


def test_sound_libraries() -> None:
    assert levels(check_vision(loading(), versions(numpy="2.2.0"), INSTALLED)) == ["ok", "ok"]
    assert check_picamera2(loading(), versions(), INSTALLED).level is Level.OK


def test_an_opencv_that_cannot_be_imported_is_told_with_the_reason() -> None:
    load = loading(cv2=ImportError("libGL.so.1: cannot open shared object file\nmore"))
    (title,) = faults(check_vision(load, versions(), INSTALLED))
    assert title == "cv2 cannot be imported: libGL.so.1: cannot open shared object file."


@pytest.mark.parametrize(("answer", "level"), [(0.5, Level.OK), (np.nan, Level.FAULT), (np.inf, Level.FAULT)])
def test_a_network_that_answers_no_numbers_is_told(answer: float, level: Level) -> None:
    found = check_arithmetic(lambda: numbers(np.array([0.0, answer], np.float32)), INSTALLED)
    assert found.level is level


def test_two_opencvs_are_told() -> None:
    both = versions(opencv_python="5.0.0", opencv_python_headless="5.0.0")
    assert levels(check_vision(loading(), both, INSTALLED)) == ["ok", "ok", "note"]


def test_the_clash_of_numpy_and_the_systems_simplejpeg_is_named_with_the_versions_that_fit() -> None:
    found = check_picamera2(loading(picamera2=CLASH), versions(numpy="2.2.0", simplejpeg="1.6.4"), INSTALLED)
    assert found.level is Level.FAULT
    assert "numpy 2.2.0 and the system’s simplejpeg 1.6.4 are not compatible" in found.title
    assert found.do == INSTALLED.numpy_fitting()


def test_bindings_that_pip_does_not_have_come_from_apt() -> None:
    missing = loading(libcamera=ModuleNotFoundError("No module named 'libcamera'"))
    found = check_picamera2(missing, versions(), INSTALLED)
    assert (found.level, found.subject) == (Level.FAULT, "libcamera")
    assert found.do == "sudo apt install --no-install-recommends python3-picamera2"
    found = check_picamera2(loading(picamera2=OSError("libfoo.so: no such file")), versions(), INSTALLED)
    assert "libfoo.so" in found.title
