from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.upkeep.doctor.system import check_arithmetic, check_vision
from hardware.diagnosis import Level, Machine
from hardware.environment import Environment
from tests.companion.upkeep.doctor.conftest import faults, levels
from vision.networks import finite


def machine(*known: tuple[str, str], **errors: Exception) -> Machine:
    """A machine on which the import of given modules fails, with given versions of packages."""

    def load(module: str) -> object:
        if module in errors:
            raise errors[module]
        return object()

    return Machine(load=load, version=dict(known).get, environment=INSTALLED)


INSTALLED = Environment(Path("/opt/quilt-companion"), Path("/usr"), writable=False, managed=True)


def test_sound_libraries() -> None:
    assert levels(check_vision(machine(("numpy", "2.2.0")))) == ["ok", "ok"]


def test_an_opencv_that_cannot_be_imported_is_told_with_the_reason() -> None:
    broken = ImportError("libGL.so.1: cannot open shared object file\nmore")
    (title,) = faults(check_vision(machine(cv2=broken)))
    assert title == "cv2 cannot be imported: libGL.so.1: cannot open shared object file."


@pytest.mark.parametrize(("answer", "level"), [(0.5, Level.OK), (np.nan, Level.FAULT), (np.inf, Level.FAULT)])
def test_a_network_that_answers_no_numbers_is_told(answer: float, level: Level) -> None:
    found = check_arithmetic(lambda: finite(np.array([0.0, answer], np.float32)), INSTALLED)
    assert found.level is level


def test_two_opencvs_are_told() -> None:
    both = machine(("opencv-python", "5.0.0"), ("opencv-python-headless", "5.0.0"))
    assert levels(check_vision(both)) == ["ok", "ok", "note"]
