"""The neural networks beside the modules that use them, run by OpenCV."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import cv2


class NoNumbersError(ArithmeticError):
    """A network's output is not finite; no picture causes that, so the build of OpenCV or the processor is at fault."""


def load_network(package: str, name: str) -> cv2.dnn.Net:
    """Return a network of its own for the caller, from a file of a package.

    It is neither shared, because OpenCV's networks are not thread-safe, nor best kept: it holds megabytes of
    intermediate results, and is loaded in a tenth of an inference's time.
    """
    import cv2  # noqa: PLC0415  # The doctor imports this module where OpenCV cannot be imported.

    return cv2.dnn.readNetFromONNX(_content(package, name))


@cache
def _content(package: str, name: str) -> NDArray[np.uint8]:
    return np.frombuffer(files(package).joinpath(name).read_bytes(), np.uint8)


def finite(output: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a network's output unchanged, of any shape; some builds of OpenCV yield NaN on some processors.

    Raises:
        NoNumbersError: a value is not finite.
    """
    if not np.isfinite(output).all():
        raise NoNumbersError("a network's answer is not finite")
    return output
