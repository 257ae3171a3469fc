"""Laws are tried on the same examples every time, a busy machine breaks none, and each worker keeps to one core."""

import contextlib
import gc
import importlib
import os

import pytest
from hypothesis import settings

# Before OpenCV, which reads its limits when it is imported; as in the program.
import companion  # noqa: F401

settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")

# There is a worker for each core. Threads beside it wait for one another at full speed: small matrices took ten times
# as long. Read when NumPy and OpenCV are imported, by the programs that tests start, too.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Have every other worker import the tests from the last to the first, if all of them are to run.

    In a fresh checkout the import compiles each of them, which costs more than all else about it. Two workers that
    began at the same end would do the same work side by side; so they meet in the middle, and find what the other has
    compiled.
    """
    config = session.config
    worker = getattr(config, "workerinput", {}).get("workerid", "gw0")
    everything = config.rootpath / "tests"
    if int(worker.removeprefix("gw")) % 2 and [config.rootpath / argument for argument in config.args] == [everything]:
        for path in sorted(everything.rglob("test_*.py"), reverse=True):
            # What cannot be imported is told when it is collected; a module may leave itself out.
            with contextlib.suppress(Exception, pytest.skip.Exception):
                importlib.import_module(".".join(path.relative_to(config.rootpath).with_suffix("").parts))


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """What was collected stays to the end: looking through all of it for garbage again and again finds none."""
    gc.collect()
    gc.freeze()
