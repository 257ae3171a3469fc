from __future__ import annotations

import io

import pytest
from rich.console import Console

from companion.games.patchwork.components import PATCHES
from companion.patchwork.arrangement import deal_steps, dealt_market
from companion.patchwork.naming import patch_name
from companion.patchwork.terminal.circle import deal_lines, show_deal, step_picture
from companion.patchwork.terminal.pictures import PRINTS

MARKET = dealt_market(3)


def _console(width: int) -> Console:
    return Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None)


def _drawn(width: int, step: int = 0) -> list[str]:
    console = _console(width)
    console.print(step_picture(deal_steps(MARKET)[step], width))
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def test_every_cell_is_drawn_and_a_step_fits_a_terminal_of_80x24() -> None:
    for step in deal_steps(MARKET):
        lines = _drawn(80, step.number - 1)
        assert len(lines) <= 23, "the question stands below"
        assert max(map(len, lines)) <= 80
        drawn = "".join(lines)
        for weave in {PRINTS[dealt.patch].weave for dealt in step.patches}:
            cells = sum(len(dealt.cells) for dealt in step.patches if PRINTS[dealt.patch].weave == weave)
            assert drawn.count(weave) == cells


def test_each_patch_has_its_place_and_its_label() -> None:
    text = " ".join(" ".join(_drawn(100, step)) for step in range(3))
    for place, patch in enumerate(MARKET, start=1):
        values = PATCHES[patch]
        assert f"{place}  {values.buttons} button" in text
        assert f", time {values.time}" in text


def test_a_narrow_terminal_still_shows_all_of_them() -> None:
    lines = _drawn(20)
    assert max(map(len, lines)) <= 20
    assert all(any(line.lstrip().startswith(f"{place}  ") for line in lines) for place in range(1, 13))


def test_the_steps_wait_for_enter_one_by_one() -> None:
    console, asked = _console(100), list[str]()

    def enter(prompt: str) -> str:
        assert isinstance(console.file, io.StringIO)
        shown = console.file.getvalue()
        asked.append(prompt)
        assert f"{len(asked)}/3" in shown
        assert f"{len(asked) + 1}/3" not in shown
        return ""

    show_deal(MARKET, console, enter)
    assert asked == [
        "Press Enter when they are in place. ",
        "Press Enter when they are in place. ",
        "Press Enter to begin the game. ",
    ]


def test_closing_the_terminal_ends_the_program() -> None:
    def close(_: str) -> str:
        raise EOFError

    with pytest.raises(KeyboardInterrupt):
        show_deal(MARKET, _console(100), close)


def test_a_log_gets_the_whole_circle_in_lines() -> None:
    lines = deal_lines(MARKET).splitlines()
    listed = [(line[:4].strip(), line[6:24].strip()) for line in lines if line.startswith(" ")]
    assert listed == [(str(place), patch_name(patch)) for place, patch in enumerate(MARKET, start=1)]
    assert len(lines) == 33 + 3
