"""Check of a network's output for values that are not finite: some builds of OpenCV yield NaN on some processors."""

import numpy as np
from numpy.typing import NDArray


class NoNumbersError(ArithmeticError):
    """A network's output is not finite; no picture causes that, so the build of OpenCV or the processor is at fault."""


def numbers(answer: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a network's output unchanged, of any shape.

    Raises:
        NoNumbersError: a value is not finite.
    """
    if not np.isfinite(answer).all():
        raise NoNumbersError("a network's answer is not finite")
    return answer
