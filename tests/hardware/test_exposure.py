from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.exposure import (
    SETTLED_FRAMES,
    flicker_us,
    focus_controls,
    has_ended_focusing,
    held_controls,
    is_held,
    is_in_focus,
    is_settled,
    steady_exposure,
)


@given(st.floats(100, 66000), st.floats(1, 8), st.sampled_from([50, 60]), st.floats(2, 30))
def test_an_exposure_is_whole_waves_and_the_picture_as_bright_as_it_was(
    exposure_us: float, gain: float, mains_hz: int, fps: float
) -> None:
    steady_us, steady_gain = steady_exposure(exposure_us, gain, mains_hz, 1e6 / fps, 16.0)
    light = exposure_us * gain
    assert 1.0 <= steady_gain <= 16.0
    assert steady_us <= 1e6 / fps
    if light >= flicker_us(mains_hz):
        waves = steady_us / flicker_us(mains_hz)
        assert waves == pytest.approx(round(waves), abs=1e-3)
        assert round(waves) >= 1
    if light <= 16.0 * (1e6 / fps - flicker_us(mains_hz)):
        assert steady_us * steady_gain == pytest.approx(light, rel=0.02)


@pytest.mark.parametrize(
    ("exposure_us", "gain", "mains_hz", "steady"),
    [
        (21000, 2.0, 50, (20000, 2.1)),
        (21000, 2.0, 60, (25000, 1.68)),
        (9000, 1.0, 50, (9000, 1.0)),
        (6000, 4.0, 50, (10000, 2.4)),
        (16000, 1.0, 50, (10000, 1.6)),
    ],
)
def test_examples(exposure_us: float, gain: float, mains_hz: int, steady: tuple[int, float]) -> None:
    assert steady_exposure(exposure_us, gain, mains_hz, 100000, 16) == pytest.approx(steady)


def test_a_gain_that_would_be_too_great_lengthens_the_exposure() -> None:
    assert steady_exposure(5000, 15.0, 50, 100000, 4.0) == pytest.approx((20000, 3.75))


FRAME = {"ExposureTime": 20000, "AnalogueGain": 2.0, "ColourGains": (1.5, 2.0), "AfState": 2}


def test_settled_is_when_enough_frames_agree() -> None:
    assert not is_settled([FRAME] * (SETTLED_FRAMES - 1))
    assert is_settled([FRAME] * SETTLED_FRAMES)
    other = FRAME | {"ColourGains": (1.5, 2.2)}
    assert not is_settled([other] + [FRAME] * (SETTLED_FRAMES - 1))
    assert is_settled([other] + [FRAME] * SETTLED_FRAMES)


def test_a_focus_is_looked_for_by_a_camera_that_can_and_was_not_told_one() -> None:
    can = {"AfMode": (0, 2, 0), "AfTrigger": (0, 1, 0)}
    assert focus_controls(can, None) == {"AfMode": 1, "AfTrigger": 0}
    assert focus_controls(can, 1.5) is None
    assert focus_controls({}, None) is None


def test_a_search_for_a_focus_is_over_when_it_says_so_and_the_one_before_is_not_meant() -> None:
    stale, seeking = [FRAME | {"AfState": 3}] * 3, [FRAME | {"AfState": 1}] * SETTLED_FRAMES
    assert not has_ended_focusing(stale)
    assert not has_ended_focusing([*stale, *seeking])
    assert has_ended_focusing([*stale, *seeking, FRAME | {"AfState": 3}])
    assert [is_in_focus({"AfState": state}) for state in range(4)] == [False, False, True, False]


def test_numbers_that_stand_in_for_gain_are_held_with_it() -> None:
    offered = dict.fromkeys(("AeEnable", "ExposureTime", "FrameDurationLimits")) | {"AnalogueGain": (1.0, 16.0, 1.0)}
    held = held_controls(FRAME | {"DigitalGain": 1.5}, offered, 10, 50, None)
    assert held == {
        "FrameDurationLimits": (100000, 100000),
        "AeEnable": False,
        "ExposureTime": 20000,
        "AnalogueGain": pytest.approx(3.0),
    }


@pytest.mark.parametrize(
    ("changed", "held"),
    [
        ({}, True),
        ({"ExposureTime": 19990}, True),
        ({"ExposureTime": 15000}, False),
        ({"AnalogueGain": 1.0, "DigitalGain": 2.0}, True),
        ({"AnalogueGain": 2.1}, False),
        ({"ColourGains": (1.5, 1.9)}, False),
        ({"LensPosition": 3.0}, False),
        ({"LensPosition": 2.01}, True),
    ],
)
def test_a_frame_tells_whether_it_was_taken_as_wanted(changed: dict[str, object], held: bool) -> None:
    wanted = {"ExposureTime": 20000, "AnalogueGain": 2.0, "ColourGains": (1.5, 2.0), "LensPosition": 2.0}
    assert is_held(FRAME | changed, wanted) is held


def test_controls_missing_from_the_metadata_count_as_held() -> None:
    assert is_held({}, {"ExposureTime": 20000, "AnalogueGain": 2.0, "AeEnable": False})
