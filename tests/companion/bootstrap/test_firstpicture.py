from __future__ import annotations

from concurrent.futures import Executor, Future
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from companion.bootstrap import firstpicture
from companion.bootstrap.firstpicture import AtOnce, FirstPicture, Impression, known_circle, learner
from companion.firstlook import Finding, Kind, Severity
from companion.games.patchwork import PATCHES, Advance, History, Setup
from companion.journal import MemoryJournal
from companion.market import SeenMarket, SeenPiece

if TYPE_CHECKING:
    from collections.abc import Callable

CIRCLE = (*(patch for patch in PATCHES if patch != "domino"), "domino")


def _piece(patch: str | None, *, sure: bool = True, others: tuple[str, ...] = ()) -> SeenPiece:
    chances = tuple((name, 0.5 if others else 1.0) for name in (patch, *others) if name is not None)
    return SeenPiece(patch, np.zeros((4, 2)), (0.0, 0.0), chances, sure)


def _seen(*pieces: SeenPiece, begins: str = "token", notes: tuple[str, ...] = ()) -> SeenMarket:
    return SeenMarket(pieces, (1.0, 2.0), begins, notes)


WHOLE = _seen(*map(_piece, CIRCLE))
DOUBTFUL = _seen(*map(_piece, CIRCLE[:-1]), _piece("domino", sure=False, others=("bar3",)))
PARTIAL = _seen(*map(_piece, CIRCLE[:30]), begins="nowhere", notes=("Move the camera up.",))


class _Watch:
    """Boards that are empty and at rest, once somebody says so."""

    def __init__(self) -> None:
        self.ready = False
        self.frame = SimpleNamespace(image=np.zeros((4, 4, 3), np.uint8))
        self.places: dict[int, Any] = {}


@pytest.fixture
def look(monkeypatch: pytest.MonkeyPatch) -> Callable[[Impression | Exception], None]:
    """Says what is seen in the first picture."""

    def sees(impression: Impression | Exception) -> None:
        def looked(*_: object, **__: object) -> Impression:
            if isinstance(impression, Exception):
                raise impression
            return impression

        monkeypatch.setattr(firstpicture, "_look", looked)

    return sees


def test_a_whole_circle_without_a_doubt_is_known() -> None:
    market, says = known_circle(WHOLE)
    assert market == CIRCLE
    assert says == f"The circle is seen, all 33 patches. It begins with {CIRCLE[0]}, {CIRCLE[1]} and {CIRCLE[2]}."


def test_a_circle_with_a_doubt_is_not_relied_upon() -> None:
    market, says = known_circle(DOUBTFUL)
    assert market is None
    assert "1 place in it stay" in says or "1 place" in says
    assert "domino or bar3" in says
    assert says.endswith("any patch still in the box may be taken.")


def test_a_circle_that_is_partly_out_of_view_is_said_to_be_so() -> None:
    market, says = known_circle(PARTIAL)
    assert market is None
    assert says.startswith("Of the circle 30 of 33 patches are seen. Not seen: ")
    assert all(patch in says for patch in CIRCLE[30:])
    assert "Move the camera up." in says


def test_a_token_in_the_wrong_place_is_told_of() -> None:
    market, says = known_circle(_seen(*map(_piece, (*CIRCLE[1:], CIRCLE[0]))))
    assert market is None
    assert "elsewhere than behind the smallest patch (domino)" in says


def test_where_no_circle_lies_the_note_says_what_to_do() -> None:
    assert known_circle(_seen(notes=("No patches are seen.",)))[1].startswith("No patches are seen. So any patch")


def test_a_circle_that_is_seen_is_written_down_before_it_is_told(
    look: Callable[[Impression | Exception], None],
) -> None:
    book, history = MemoryJournal(), History(Setup())
    said: list[str] = []
    heads: list[Setup] = []
    number = book.new_game(history.setup)
    look(Impression(("More light helps.",), WHOLE))
    watch = _Watch()
    picture = FirstPicture(
        watch,  # type: ignore[arg-type]  # all that is asked of it
        history,
        said.append,
        learner(book, number, history, heads.append),
        AtOnce(),
    )
    picture.tick(0.0)
    assert (said, history.setup.market) == ([], None)
    watch.ready = True
    picture.tick(0.2)
    picture.tick(0.4)
    assert said == ["More light helps.", known_circle(WHOLE)[1]]
    assert history.setup.market == book.setup(number).market == CIRCLE
    assert heads == [Setup(market=CIRCLE)]
    assert history.state.market == CIRCLE


def test_after_the_first_decision_nobody_looks_any_more(look: Callable[[Impression | Exception], None]) -> None:
    history, waiting = History(Setup()), _Later()
    said: list[str] = []
    look(Impression((), WHOLE))
    watch = _Watch()
    watch.ready = True
    picture = FirstPicture(watch, history, said.append, _too_late, waiting)  # type: ignore[arg-type]
    picture.tick(0.0)
    history.apply(Advance(1))
    waiting.finish()
    picture.tick(0.2)
    picture.tick(0.4)
    assert said == []


def test_a_look_that_fails_leaves_the_game_going(
    look: Callable[[Impression | Exception], None], caplog: pytest.LogCaptureFixture
) -> None:
    look(ValueError("nothing to see"))
    watch = _Watch()
    said: list[str] = []
    watch.ready = True
    FirstPicture(watch, History(Setup()), said.append, None, AtOnce()).tick(0.0)  # type: ignore[arg-type]
    assert said == []
    assert "could not be looked at" in caplog.text


def test_a_game_that_knows_its_circle_learns_none() -> None:
    assert learner(MemoryJournal(), 1, History(Setup(market=CIRCLE)), None) is None


def test_advice_is_given_where_the_circle_is_known(look: Callable[[Impression | Exception], None]) -> None:
    look(Impression(("It is too dark: switch on a lamp.",), None))
    watch = _Watch()
    said: list[str] = []
    watch.ready = True
    FirstPicture(watch, History(Setup(market=CIRCLE)), said.append, None, AtOnce()).tick(0.0)  # type: ignore[arg-type]
    assert said == ["It is too dark: switch on a lamp."]


def test_the_picture_itself_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    finding = Finding(Kind.DARK, Severity.BAD, "Dark.", None)
    monkeypatch.setattr(firstpicture, "first_look", lambda image, quilts: (finding,) if image.size and quilts else ())
    monkeypatch.setattr(firstpicture, "see_market", lambda _image, boards: WHOLE if boards == ["place"] else DOUBTFUL)
    watch = _Watch()
    said: list[str] = []
    learnt: list[tuple[str, ...]] = []
    watch.places, watch.ready = {1: "place"}, True
    FirstPicture(watch, History(Setup()), said.append, learnt.append, AtOnce()).tick(0.0)  # type: ignore[arg-type]
    assert said[0] == "Dark."
    assert learnt == [CIRCLE]


def _too_late(_market: tuple[str, ...]) -> None:
    raise AssertionError("a circle was learnt after the first decision")


class _Later(Executor):
    """Does nothing before it is told to."""

    def __init__(self) -> None:
        self.future: Future[Any] = Future()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self._work = partial(fn, *args, **kwargs)
        return self.future

    def finish(self) -> None:
        self.future.set_result(self._work())
