"""Settings of the suite: property tests are deterministic and without deadlines, and each worker uses one core."""

import ctypes
import gc
import os
import sys
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis.strategies import none

# Before OpenCV, which reads its limits on import; as in the program.
import companion  # noqa: F401

settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")

# The workers keep all cores busy. Further threads wait for one another at full speed: small matrices took ten times
# as long. Read when NumPy and OpenCV are imported, also by the programs that tests start.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")


def keep_freed_memory() -> None:
    """Make the C library reuse freed memory: pictures are allocated often, and fresh pages are a sixth of their cost.

    Up to 32 MB at a time, the most that glibc allows. Do nothing if the C library has no such option.
    """
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is not None:
        mmap_threshold, trim_threshold, top_pad = -3, -1, -2
        set_option(mmap_threshold, 32 << 20)
        set_option(trim_threshold, 1 << 30)
        set_option(top_pad, 64 << 20)


keep_freed_memory()


def draw_no_constants_of_sources() -> None:
    """Stop Hypothesis from drawing constants out of the sources of the modules that happen to be imported.

    With them a test's examples depend on the tests before it in the same worker, and each worker parses all sources.
    There is no public setting for it; do nothing if this version of Hypothesis has no such function.
    """
    providers = vars(sys.modules.get("hypothesis.internal.conjecture.providers", sys))
    if "_local_constants" in providers:
        none = providers["_local_constants"]
        providers["_get_local_constants"] = lambda: none


draw_no_constants_of_sources()

_TESTS: Final = Path(__file__).parent
BESIDE_PROCESSES: Final = ("companion/cli", "companion/hall", "companion/mqtt", "companion/web/page", "crash")
"""Folders whose tests talk to a browser, a broker or another running program."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Rerun failed tests that wait for other processes, which share the cores with the suite; the summary lists reruns.

    A rerun is still a defect to investigate, of the test or of the program.
    """
    folders = tuple(str(_TESTS / folder) + os.sep for folder in BESIDE_PROCESSES)
    for item in items:
        if str(item.path).startswith(folders):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """Disable garbage collection during test collection: the items live to the end, and scanning them finds nothing.

    Hypothesis is used once before: it looks for the owners of random numbers, its own and NumPy's, among all objects,
    which takes two seconds once there are items, and from Python 3.14 on finds none among what is excluded later.
    """
    import numpy as np  # noqa: F401, PLC0415

    given(none())(lambda _: None)()
    gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Enable garbage collection again, excluding the collected items.

    What collection leaves behind is excluded with them: looking for it takes longer than the little memory is worth.
    """
    gc.freeze()
    # The usual threshold, 700 objects, is that of small programs; here it costs a tenth of what tests of rules take.
    gc.set_threshold(10_000)
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """Use one worker more than there are cores: one that waits for a browser or another program leaves a core idle."""
    asked_for = "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ
    return None if asked_for else len(os.sched_getaffinity(0)) + 1
