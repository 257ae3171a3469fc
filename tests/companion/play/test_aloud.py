"""Test that voices are given texts that they read as people would."""

from __future__ import annotations

import pytest

from companion.languages import LANGUAGES
from companion.play.speaker import aloud


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("1\u00a0пуговица", "одна пуговица"),
        ("берёт 1\u00a0пуговицу", "берёт одну пуговицу"),
        ("2\u00a0пуговицы", "две пуговицы"),
        ("22 клетки", "20 две клетки"),
        ("21 очко", "20 одно очко"),
        ("1 лоскут, без 1 лоскута", "один лоскут, без одного лоскута"),
        ("из 2 лоскутов", "из двух лоскутов"),
        ("с 1 очком", "с одним очком"),
        ("7 очков, 17 очков", "семь очков, 17 очков"),
        ("деление 31", "деление 30 один"),
        ("11 пуговиц и 12 клеток", "11 пуговиц и 12 клеток"),
        ("1,5 мм, в 17:21", "1,5 мм, в 17:21"),
        ("На E6 F4.", "На е 6, эф 4."),
        ("квадрат 7×7", "квадрат семь на семь"),
        ("−3 очка", "минус 3 очка"),
    ],
)
def test_russian_numbers_agree_and_cells_have_russian_letters(text: str, heard: str) -> None:
    assert aloud(text, LANGUAGES["ru"]) == heard


@pytest.mark.parametrize(
    ("code", "text", "heard"),
    [
        ("en", "On E6 F4, 7x7: −3 points.", "On E6, F4, 7 by 7: minus 3 points."),
        ("fa", "روی E۶ F۴، ۷×۷، −۳ امتیاز", "روی E۶، F۴، ۷ در ۷، منفی ۳ امتیاز"),
    ],
)
def test_cells_are_set_apart_and_signs_are_words(code: str, text: str, heard: str) -> None:
    assert aloud(text, LANGUAGES[code]) == heard
