"""Players who insist are asked; nothing else becomes of a complaint."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.patchwork import TakePatch, mask_of
from companion.reader.insisting import TIMES, Insistence
from companion.verdict import Asks, Complaint, Question, Reading, Reason, Verdict

SHOWN = TakePatch(1, "bar3", mask_of(["A1", "B1", "C1"]))
TWIN = TakePatch(1, "corner-b1", mask_of(["D4", "E4", "E5"]))
MOVED = Complaint(Reason.MOVED, 1, ("D4", "E4"), "It moved.", "000001.jpg", (SHOWN,))
OTHERS: tuple[Verdict, ...] = (
    replace(MOVED, reason=Reason.OBJECT),
    replace(MOVED, otherwise=(TWIN,)),
    Reading(SHOWN, "000001.jpg", 0.99),
    Question(Asks.CELLS, 1, (SHOWN,), ("A1",), "Does it?", "000001.jpg"),
)


def test_the_third_time_a_complaint_is_heard_it_is_a_question() -> None:
    insistence = Insistence()
    heard = [insistence.weigh(replace(MOVED, frame=f"{number:06d}.jpg")) for number in range(TIMES + 1)]
    assert all(isinstance(verdict, Complaint) for verdict in heard[: TIMES - 1])
    for number, asked in enumerate(heard[TIMES - 1 :], start=TIMES - 1):
        assert isinstance(asked, Question)
        assert (asked.asks, asked.seat, asked.options) == (Asks.CELLS, 1, (SHOWN,))
        assert asked.cells == ("A1", "B1", "C1")
        assert "A1, B1 and C1" in asked.says
        assert asked.frame == f"{number:06d}.jpg"


def test_a_complaint_that_flickers_over_other_cells_is_the_same() -> None:
    insistence = Insistence()
    for cells in (("D4", "E4"), ("D4",)):
        insistence.weigh(replace(MOVED, cells=cells))
    assert isinstance(insistence.weigh(MOVED), Question)


def test_where_nothing_else_is_shown_nobody_is_asked() -> None:
    insistence, bare = Insistence(), replace(MOVED, otherwise=())
    assert all(insistence.weigh(bare) is bare for _ in range(5))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from((MOVED, *OTHERS)), max_size=12))
def test_only_the_same_complaint_press_after_press_counts(verdicts: list[Verdict]) -> None:
    insistence = Insistence()
    for number, verdict in enumerate(verdicts):
        same = verdicts[max(0, number + 1 - TIMES) : number + 1] == [verdict] * TIMES
        weighed = insistence.weigh(verdict)
        if isinstance(verdict, Complaint) and same:
            assert isinstance(weighed, Question)
        else:
            assert weighed is verdict
