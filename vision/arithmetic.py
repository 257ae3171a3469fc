"""A network's answer that is no number: some builds of OpenCV work out none on some processors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class NoNumbersError(ArithmeticError):
    """An answer is not finite, which no picture explains: the build or the processor is at fault."""


def numbers(answer: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a network's answer, of any shape.

    Raises:
        NoNumbersError: some of it is not finite.
    """
    if not np.isfinite(answer).all():
        raise NoNumbersError("a network's answer is not finite")
    return answer
