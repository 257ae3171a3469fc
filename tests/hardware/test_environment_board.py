from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hardware.environment import PiBoard, board_of, read_board

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("model", "generation"),
    [
        ("Raspberry Pi Model B Rev 2", 1),
        ("Raspberry Pi Compute Module Rev 1.0", 1),
        ("Raspberry Pi Zero W Rev 1.1", 1),
        ("Raspberry Pi 2 Model B Rev 1.1", 2),
        ("Raspberry Pi Zero 2 W Rev 1.0", 3),
        ("Raspberry Pi 3 Model B Plus Rev 1.3", 3),
        ("Raspberry Pi Compute Module 4 Rev 1.0", 4),
        ("Raspberry Pi 400 Rev 1.0", 4),
        ("Raspberry Pi 5 Model B Rev 1.0", 5),
        ("Raspberry Pi 500 Rev 1.0", 5),
        ("Raspberry Pi Compute Module 5 Rev 1.0", 5),
    ],
)
def test_the_model_tells_the_generation(model: str, generation: int) -> None:
    assert board_of(model) == PiBoard(model, generation)


@pytest.mark.parametrize(
    ("model", "held", "section"),
    [
        ("Raspberry Pi Model B Rev 2", None, "pi1"),
        ("Raspberry Pi Zero W Rev 1.1", ("core_freq", 250), "pi0w"),
        ("Raspberry Pi 2 Model B Rev 1.1", None, "pi2"),
        ("Raspberry Pi Zero 2 W Rev 1.0", ("core_freq", 250), "pi02"),
        ("Raspberry Pi 3 Model B Plus Rev 1.3", ("core_freq", 250), "pi3+"),
        ("Raspberry Pi 4 Model B Rev 1.4", ("core_freq_min", 500), "pi4"),
        ("Raspberry Pi 5 Model B Rev 1.0", None, "pi5"),
    ],
)
def test_each_board_holds_the_clock_of_its_spi_in_its_own_way(
    model: str, held: tuple[str, int] | None, section: str
) -> None:
    board = board_of(model)
    assert board is not None
    assert board.core_clock == held
    assert section in board.filters


def test_the_device_tree_tells_the_model(tmp_path: Path) -> None:
    path = tmp_path / "model"
    assert read_board(path) is None
    path.write_bytes(b"Raspberry Pi 4 Model B Rev 1.4\0")
    assert read_board(path) == PiBoard("Raspberry Pi 4 Model B Rev 1.4", 4)
    path.write_bytes(b"Radxa ROCK 5B\0")
    assert read_board(path) is None
