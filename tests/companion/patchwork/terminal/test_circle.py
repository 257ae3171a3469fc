"""Test confirming a circle at a terminal."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from companion.cli import market as market_command
from companion.games.patchwork.components import PATCHES
from companion.patchwork.circle.proposal import Proposal
from companion.patchwork.circle.seen import CircleSighting, SeenMarket
from companion.patchwork.naming import patch_name
from companion.patchwork.terminal.circle import HELP, confirm, place_line

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.companion.cli.conftest import Run

ORDER = (*(patch for patch in PATCHES if patch != "domino"), "domino")


def seen(**others: tuple[str, ...]) -> SeenMarket:
    """A circle with doubts at some places (`p7=("tee",)`: place 7 may also be the tee)."""
    pieces = []
    for place, patch in enumerate(ORDER, start=1):
        names = (patch, *others.get(f"p{place}", ()))
        chances = tuple((name, 1 / len(names)) for name in names)
        pieces.append(CircleSighting(patch, np.zeros((4, 2)), (0.0, 0.0), chances, sure=len(names) == 1))
    return SeenMarket(tuple(pieces), None, "domino")


def answering(*lines: str) -> Callable[[str], str]:
    left = iter(lines)

    def ask(says: str) -> str:
        assert says == "> "
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    return ask


def test_a_user_answers_place_by_place() -> None:
    out = io.StringIO()
    confirmed = confirm(
        Proposal(seen(p7=("tee",), p9=("bar3",))), answering("7 nonsense at all", f"7 {ORDER[6]}", "ok"), out
    )
    assert confirmed.market() == ORDER
    shown = out.getvalue()
    assert shown.startswith(HELP)
    assert "There is no patch nonsense at all." in shown
    assert shown.count(place_line(Proposal(seen(p7=("tee",))).doubtful[0])) == 2


def test_an_empty_line_or_the_end_of_lines_ends_it() -> None:
    for lines in ((), ("",), (" \n", "ok")):
        assert confirm(Proposal(seen(p7=("tee",))), answering(*lines), io.StringIO()).market() is None


def test_a_place_says_what_its_patches_cost() -> None:
    doubtful = Proposal(seen(p7=("tee",))).doubtful[0]
    cost, tee = PATCHES[ORDER[6]], PATCHES["tee"]
    assert place_line(doubtful) == (
        f"  7  {patch_name(ORDER[6])} ({cost.buttons} buttons, {cost.time} time)"
        f" or small T ({tee.buttons} buttons, {tee.time} time)"
    )


@pytest.fixture
def photo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A photograph in which a circle with two doubts is seen."""
    monkeypatch.setattr(market_command, "see_market_in_photo", lambda *_: seen(p7=("tee",), p9=("bar3",)))
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), np.zeros((40, 60, 3), np.uint8))
    return path


def test_the_command_confirms_and_prints_the_line_for_the_configuration(
    run: Run, photo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"7 {ORDER[6]}\nok\n"))
    status, out, err = run("market", photo, "--confirm")
    assert status == 0
    assert "Please check the 2 of 33 pieces" in out
    assert f"[patchwork]\nmarket = {json.dumps(ORDER)}\n" in out
    assert err.startswith(HELP)


def test_the_confirmed_circle_as_json(run: Run, photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("9 ok\n"))
    status, out, _ = run("market", photo, "--confirm", "--json")
    told = json.loads(out)
    assert (status, told["complete"]) == (0, False)
    assert told["doubtful"] == [{"place": 7, "candidates": [ORDER[6], "tee"]}]
    assert [place for place, piece in enumerate(told["pieces"], start=1) if piece["doubtful"]] == [7]
    assert told["market"] == list(ORDER)


def test_open_places_are_listed(run: Run, photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("7 tee\n\n"))
    status, out, _ = run("market", photo, "--confirm")
    assert status == 0
    assert out.endswith(f"Not confirmed: 6, 9.\nThese patches have no place yet: {patch_name(ORDER[6])}.\n")
