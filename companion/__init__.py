"""Keep the books while two people play the physical game Patchwork under a camera."""

from __future__ import annotations

import os

# Read when NumPy is imported. Small matrices on several threads wait for one another at full speed: with NumPy 1.26 a
# still frame takes three times as much of the processor.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Sets OpenCV's limits, which it reads when it is imported.
from companion import pictures as _pictures  # noqa: F401

__version__ = "0.1.0"
