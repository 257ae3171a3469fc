"""Scorekeeping for the board game Patchwork, played physically under a camera."""

import os
import sys

# Four times what all modules take when compiled.
_ROOM_BYTES = 32 << 20

# Python 3.11 keeps as much of a compiled module as a full disk has room for, and fails at each start afterwards
# (github.com/python/cpython/issues/126606).
_disk = os.statvfs(__file__)
if _disk.f_bavail * _disk.f_frsize < _ROOM_BYTES:
    sys.dont_write_bytecode = True

# Read when NumPy is imported. Threads that share small matrices wait in busy loops: with NumPy 1.26 a still frame takes
# three times as much CPU time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Sets OpenCV's limits, which it reads when it is imported.
from companion import pictures as _pictures  # noqa: E402, F401

__version__ = "0.1.0"
