"""A printer without paper: PDF pages become grey pictures of a known resolution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pypdfium2
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray

DPI = 300


@dataclass(frozen=True, eq=False)
class Printed:
    """A printed page: its picture, shape (height, width), uint8, and the paper's size."""

    picture: NDArray[np.uint8]
    size_mm: tuple[float, float]

    @property
    def px_per_mm(self) -> NDArray[np.float64]:
        """The scale along x and y; the page is fitted into whole pixels, so the two differ by some in ten thousand."""
        return np.asarray(self.picture.shape[::-1], np.float64) / self.size_mm

    def mm(self, points_px: ArrayLike) -> NDArray[np.float64]:
        """Convert pixels (x, y), whose centres lie on whole numbers, to millimetres on the page."""
        return (np.asarray(points_px, np.float64) + 0.5) / self.px_per_mm

    @property
    def x_mm(self) -> NDArray[np.float64]:
        """The x of each pixel column's centre, in millimetres."""
        return np.asarray((np.arange(self.picture.shape[1]) + 0.5) / self.px_per_mm[0])

    @property
    def y_mm(self) -> NDArray[np.float64]:
        """The y of each pixel row's centre, in millimetres."""
        return np.asarray((np.arange(self.picture.shape[0]) + 0.5) / self.px_per_mm[1])


@pytest.fixture(scope="session")
def printed() -> Callable[..., Sequence[Printed]]:
    """A function that renders each page of a PDF as it is printed, at 300 dpi by default."""

    def print_(content: bytes, dpi: float = DPI) -> list[Printed]:
        document = pypdfium2.PdfDocument(content)
        try:
            return [_print_page(document[index], dpi) for index in range(len(document))]
        finally:
            document.close()

    return print_


def _print_page(page: pypdfium2.PdfPage, dpi: float) -> Printed:
    picture = np.asarray(page.render(scale=dpi / 72, grayscale=True).to_numpy()).squeeze()
    width_mm, height_mm = (points / 72 * 25.4 for points in page.get_size())
    return Printed(picture, (width_mm, height_mm))
