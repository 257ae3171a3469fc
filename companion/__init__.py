"""Scorekeeping for the board game Patchwork, played physically under a camera."""

import os

# Read when NumPy is imported. Threads that share small matrices wait in busy loops: with NumPy 1.26 a still frame takes
# three times as much CPU time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Sets OpenCV's limits, which it reads when it is imported.
from companion import pictures as _pictures  # noqa: F401

__version__ = "0.1.0"
