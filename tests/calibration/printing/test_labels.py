from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pypdfium2
import pytest

from calibration.printing import PAPERS, labels_pdf
from calibration.printing.labels import BUTTONS, LABEL_MM
from hardware.ports import Button

Printer = Callable[[bytes], Sequence[Any]]


def test_every_button_has_a_label() -> None:
    assert set(BUTTONS) == {button.value for button in Button}


@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_the_labels_are_on_the_paper_in_three_sets(paper: str, printed: Printer) -> None:
    content = labels_pdf(paper)
    document = pypdfium2.PdfDocument(content)
    words = document[0].get_textpage().get_text_bounded()
    document.close()
    for button in BUTTONS.values():
        for word in (button.english, button.russian, button.persian):
            assert words.count(word) == 3
    assert "Seat 1" in words
    assert "Seat 2" in words
    (page,) = printed(content)
    inked = page.picture < 250
    assert page.x_mm[inked.any(axis=0)].min() > 6.5
    assert page.x_mm[inked.any(axis=0)].max() < PAPERS[paper][0] - 6.5
    assert page.y_mm[inked.any(axis=1)].max() < PAPERS[paper][1] - 6.5


def test_no_words_cross_the_line_that_is_cut_along(printed: Printer) -> None:
    """Between two labels' frames nothing but the frames' own thin lines is printed."""
    (page,) = printed(labels_pdf("a4"))
    left_mm = (210.0 - 3 * LABEL_MM[0] - 2 * 4.0) / 2
    for column in range(3):
        right_mm = left_mm + column * (LABEL_MM[0] + 4.0) + LABEL_MM[0]
        beside = page.picture[(page.y_mm > 36) & (page.y_mm < 120)]
        assert (beside[:, (page.x_mm > right_mm + 0.4) & (page.x_mm < right_mm + 3.6)] == 255).all()
        inside = beside[:, (page.x_mm > right_mm - 1.5) & (page.x_mm < right_mm - 0.4)]
        assert (inside < 128).mean() < 0.001
