"""Laws are tried on the same examples every time, and a busy machine breaks none; workers keep to one core each."""

import os

from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")

# There is a worker for each core, and threads beside it would only wait for one another. Read when OpenCV and NumPy
# are imported, also by the programs that tests start.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
