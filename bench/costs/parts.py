"""Memory and CPU time that each part of the program adds to a new process.

    python bench/costs/parts.py

The first row, Python alone, is the baseline. "resident" includes pages shared with other programs, such as those of
libraries; "own" does not. Nothing is freed between the rows.
"""

from __future__ import annotations

import re
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

NETWORKS: Final = ("quilt/changes.onnx", "quilt/trunk.onnx", "pieces/maps.onnx", "pieces/tag.onnx")
FRAMES: Final = 4
"""The number of frames alive at once: the newest, the one being read, and those of the page and the reader."""
SIZE: Final = (864, 1536, 3)


def memory_mib() -> tuple[float, float]:
    """Return the resident memory of this process, and the part that is not shared (Linux)."""
    told = Path("/proc/self/smaps_rollup").read_text(encoding="utf-8")
    sizes = {name: int(size) / 1024 for name, size in re.findall(r"^(\w+): +(\d+) kB$", told, re.MULTILINE)}
    return sizes["Rss"], sizes["Private_Clean"] + sizes["Private_Dirty"]


def imported(*modules: str) -> Callable[[], list[Any]]:
    """Return a function that imports modules."""
    return lambda: [import_module(module) for module in modules]


def networks() -> list[Any]:
    """Load the four networks, as the first look does."""
    import cv2  # noqa: PLC0415  # Not before its own row.

    vision = Path(__file__).parents[2] / "vision"
    return [cv2.dnn.readNetFromONNX(str(vision / name)) for name in NETWORKS]


def frames() -> list[Any]:
    """Return some pictures of the camera's size."""
    import numpy as np  # noqa: PLC0415  # Not before its own row.

    return [np.ones(SIZE, np.uint8) for _ in range(FRAMES)]


PARTS: Final = (
    ("NumPy", imported("companion", "numpy")),
    ("OpenCV", imported("cv2")),
    ("rules, journal, configuration", imported("companion.registry", "companion.journal", "companion.config")),
    ("games at the table, devices", imported("companion.compose")),
    ("the page and its server", imported("companion.web.page")),
    ("the four networks", networks),
    ("four pictures of 1536x864", frames),
)


def main() -> None:
    """Load part by part, and print the table."""
    kept: list[Any] = []
    resident, own = memory_mib()
    print(f"{'':32} {'resident MiB':>13} {'own MiB':>9} {'s of processor':>15}")
    print(f"{'baseline: Python alone':32} {resident:>13.1f} {own:>9.1f} {time.process_time():>15.2f}")
    for name, load in PARTS:
        before, began_s = memory_mib(), time.process_time()
        kept.append(load())
        took_s, after = time.process_time() - began_s, memory_mib()
        print(f"{name:32} {after[0] - before[0]:>13.1f} {after[1] - before[1]:>9.1f} {took_s:>15.2f}")
    resident, own = memory_mib()
    print(f"{'all of it':32} {resident:>13.1f} {own:>9.1f} {time.process_time():>15.2f}")


if __name__ == "__main__":
    main()
