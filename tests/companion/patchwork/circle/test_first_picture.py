from __future__ import annotations

from concurrent.futures import Executor, Future
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Advance
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.journal import MemoryJournal
from companion.languages import PERSIAN, render
from companion.patchwork.circle import first_picture as firstpicture
from companion.patchwork.circle.desk import CircleDesk
from companion.patchwork.circle.first_picture import FirstPicture, SetupFindings, learner, unknown_parts
from companion.patchwork.circle.seen import CircleSighting, SeenMarket
from companion.patchwork.codec import PATCHWORK
from companion.patchwork.naming import patch_names
from companion.patchwork.watching.setup_advice import BoardFinding, BoardFindingKind, Severity
from companion.play.session import AtOnce
from companion.registry import codecs

if TYPE_CHECKING:
    from collections.abc import Callable

CIRCLE = (*(patch for patch in PATCHES if patch != "domino"), "domino")


def _piece(patch: str | None, *, sure: bool = True, others: tuple[str, ...] = ()) -> CircleSighting:
    chances = tuple((name, 0.5 if others else 1.0) for name in (patch, *others) if name is not None)
    return CircleSighting(patch, np.zeros((4, 2)), (0.0, 0.0), chances, sure)


def _seen(*pieces: CircleSighting, begins: str = "token") -> SeenMarket:
    return SeenMarket(pieces, (1.0, 2.0), begins)


WHOLE = _seen(*map(_piece, CIRCLE))
DOUBTFUL = _seen(*map(_piece, CIRCLE[:-1]), _piece("domino", sure=False, others=("bar3",)))
PARTIAL = _seen(*map(_piece, CIRCLE[:30]), begins="nowhere")


class _Watch:
    """A fake watch whose boards are empty and at rest once a test sets `ready`."""

    def __init__(self) -> None:
        self.ready = False
        self.frame = SimpleNamespace(image=np.zeros((4, 4, 3), np.uint8))
        self.places: dict[int, Any] = {}


@pytest.fixture
def look(monkeypatch: pytest.MonkeyPatch) -> Callable[[SetupFindings | Exception], None]:
    """A function that sets what is seen in the first picture."""

    def sees(impression: SetupFindings | Exception) -> None:
        def looked(*_: object, **__: object) -> SetupFindings:
            if isinstance(impression, Exception):
                raise impression
            return impression

        monkeypatch.setattr(firstpicture, "_look", looked)

    return sees


def test_a_whole_circle_without_a_doubt_wants_nothing() -> None:
    assert unknown_parts(WHOLE) is None


def test_a_circle_with_a_doubt_is_not_relied_upon() -> None:
    assert unknown_parts(DOUBTFUL) == (
        "The circle is seen, but 1 place in it is still uncertain (33: domino or short bar). "
        "So any patch still in the box may be taken."
    )


def test_many_doubtful_places_are_numbered_in_the_reader_s_digits() -> None:
    others = (_piece(patch, sure=False, others=("bar3",)) for patch in CIRCLE[25:])
    says = unknown_parts(_seen(*map(_piece, CIRCLE[:25]), *others))
    assert says is not None
    assert not set("0123456789") & set(render(says, PERSIAN))


def test_a_circle_that_is_partly_out_of_view_is_said_to_be_so() -> None:
    says = unknown_parts(PARTIAL)
    assert says is not None
    assert says.startswith("30 of 33 patches in the circle are seen. Not seen: ")
    assert all(name in says for name in patch_names(CIRCLE[30:]))
    assert "it is not known where the circle begins" in says
    assert says.endswith("any patch still in the box may be taken.")


def test_a_missing_circle_is_reported_with_its_remedy() -> None:
    assert str(unknown_parts(_seen())).startswith("No patches are seen: is the circle laid out")


def test_a_circle_that_is_seen_is_written_down_before_it_is_told(
    look: Callable[[SetupFindings | Exception], None],
) -> None:
    book, history = MemoryJournal(codecs()), History(Setup())
    said: list[str] = []
    heads: list[Setup] = []
    number = book.new_game(history.setup)
    look(SetupFindings(("More light helps.",), WHOLE))
    watch, desk = _Watch(), CircleDesk()
    asked = desk.begin(history, learner(book, number, history, heads.append), said.append)
    picture = FirstPicture(watch, history, said.append, asked, AtOnce())  # type: ignore[arg-type]
    assert not picture.tick(0.0)
    assert (said, history.setup.market) == ([], None)
    watch.ready = True
    assert picture.tick(0.2)
    begins = "It begins with {}, {} and {}.".format(*patch_names(CIRCLE[:3]))
    assert said == ["More light helps.", f"All 33 patches of the circle are known. {begins}"]
    assert history.setup.market == book.setup(number, PATCHWORK).market == CIRCLE
    assert heads == [Setup(market=CIRCLE)]
    assert history.state.market == CIRCLE


def test_a_look_that_ends_after_the_first_moves_still_tells_of_the_circle(
    look: Callable[[SetupFindings | Exception], None],
) -> None:
    history, waiting, desk = History(Setup()), _Later(), CircleDesk()
    said: list[str] = []
    look(SetupFindings(("Too dark to begin.",), WHOLE))
    watch = _Watch()
    watch.ready = True
    asked = desk.begin(history, history.know_market, said.append)
    picture = FirstPicture(watch, history, said.append, asked, waiting)  # type: ignore[arg-type]
    shown: list[bool] = []
    desk.follow(lambda _: shown.append(desk.looking))
    picture.tick(0.0)
    assert shown == [True]
    history.apply(Advance(1))
    waiting.finish()
    picture.tick(0.2)
    assert shown[1:] == [False] * (len(shown) - 1) != []
    assert history.state.market == CIRCLE
    assert not any("Too dark" in sentence for sentence in said)


def test_people_are_told_step_by_step_how_far_the_look_has_come(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = iter((0.2, 0.205, 0.7))

    def looks(_image: object, _boards: object, progress: Callable[[float], None]) -> SeenMarket:
        for step in steps:
            progress(step)
            picture.tick(0.0)
        return WHOLE

    monkeypatch.setattr(firstpicture, "first_look", lambda _image, _quilts: ())
    monkeypatch.setattr(firstpicture, "see_market", looks)
    history, waiting, desk, watch = History(Setup()), _Later(), CircleDesk(), _Watch()
    watch.ready = True
    asked = desk.begin(history, history.know_market, lambda _: None)
    picture = FirstPicture(watch, history, lambda _: None, asked, waiting)  # type: ignore[arg-type]
    shown: list[float | None] = []
    desk.follow(lambda _: shown.append(desk.share))
    picture.tick(0.0)
    waiting.finish()
    # A step too small to be visible is not reported.
    assert shown == [0.0, 0.2, 0.7]
    picture.tick(0.2)
    assert {*shown[3:]} == {None}
    assert history.state.market == CIRCLE


def test_a_game_that_goes_on_is_not_looked_at(look: Callable[[SetupFindings | Exception], None]) -> None:
    history, waiting = History(Setup()), _Later()
    look(SetupFindings(("Too dark to begin.",), WHOLE))
    watch = _Watch()
    watch.ready = True
    history.apply(Advance(1))
    said: list[str] = []
    picture = FirstPicture(watch, history, said.append, None, waiting)  # type: ignore[arg-type]
    picture.tick(0.0)
    assert not waiting.asked
    assert said == []


def test_a_look_that_fails_leaves_the_game_going(
    look: Callable[[SetupFindings | Exception], None], caplog: pytest.LogCaptureFixture
) -> None:
    look(ValueError("nothing to see"))
    watch = _Watch()
    said: list[str] = []
    watch.ready = True
    FirstPicture(watch, History(Setup()), said.append, None, AtOnce()).tick(0.0)  # type: ignore[arg-type]
    assert said == []
    assert "could not be looked at" in caplog.text


def test_a_game_that_knows_its_circle_learns_none() -> None:
    assert learner(MemoryJournal(codecs()), 1, History(Setup(market=CIRCLE)), None) is None
    assert learner(MemoryJournal(codecs()), 1, History(Setup(market=CIRCLE)), None, was_seen=True) is not None


def test_advice_is_given_where_the_circle_is_known(look: Callable[[SetupFindings | Exception], None]) -> None:
    look(SetupFindings(("It is too dark: switch on a lamp.",), None))
    watch = _Watch()
    said: list[str] = []
    watch.ready = True
    FirstPicture(watch, History(Setup(market=CIRCLE)), said.append, None, AtOnce()).tick(0.0)  # type: ignore[arg-type]
    assert said == ["It is too dark: switch on a lamp."]


def test_the_picture_itself_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    finding = BoardFinding(BoardFindingKind.DARK, Severity.BAD, "Dark.", None)
    monkeypatch.setattr(firstpicture, "first_look", lambda image, quilts: (finding,) if image.size and quilts else ())
    monkeypatch.setattr(
        firstpicture, "see_market", lambda _image, boards, _progress: WHOLE if boards == ["place"] else DOUBTFUL
    )
    watch, desk, history = _Watch(), CircleDesk(), History(Setup())
    said: list[str] = []
    watch.places, watch.ready = {1: "place"}, True
    asked = desk.begin(history, history.know_market, said.append)
    FirstPicture(watch, history, said.append, asked, AtOnce()).tick(0.0)  # type: ignore[arg-type]
    assert said[0] == "Dark."
    assert history.state.market == CIRCLE
    assert desk.laid is not None
    assert desk.laid.image is watch.frame.image


class _Later(Executor):
    """An executor that does its work when `finish` is called."""

    def __init__(self) -> None:
        self.future: Future[Any] = Future()
        self.asked = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.asked = True
        self._work = partial(fn, *args, **kwargs)
        return self.future

    def finish(self) -> None:
        self.future.set_result(self._work())
