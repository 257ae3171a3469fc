"""Vision: arrays in, values out. Fiducials, rectification, stability, evidence per cell; knows no rules."""

import os

# For those who use it without the program, which says the same in companion/__init__.py.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
