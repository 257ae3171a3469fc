"""Test the reader's verdicts on evidence: small arrays in place of pictures, each near a threshold."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
import pytest

from companion.games.patchwork.cells import indices_of, mask_of
from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Advance, TakePatch, cells_covered
from companion.games.patchwork.rules import History, check
from companion.games.patchwork.state import Setup
from companion.patchwork.reading.explain import MOST_OPTIONS
from companion.patchwork.reading.observer import Observation, QuiltObserver, Understood, UnreadableQuiltError
from companion.patchwork.reading.reader import Reader
from companion.patchwork.reading.verdict import Complaint, NextStep, Question, QuestionTopic, Reading, Reason
from vision.geometry import VIEW_PX
from vision.pieces.tag import COSTS, TIMES
from vision.quilt.changes import SHIFTS
from vision.quilt.look import RING, WINDOWS, look_at
from vision.table.plane import PlacedPicture

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from companion.patchwork.reading.observer import QuiltComparer
    from vision.geometry import Homography

FRAME = "000007.jpg"
PLAIN = look_at(np.full((VIEW_PX, VIEW_PX, 3), 120, np.uint8))
CORNER = ("D4", "D5", "E5")
"""Cells of two patches that differ by their labels and their incomes only."""
EVERYWHERE = tuple(f"{column}{row}" for row in range(1, 10) for column in "ABCDEFGHI")
SURE = 9.0
FAINT = -0.5
"""The ratio of four cells at which a patch there is likelier than 1 %, and less likely than 2 %."""
LABELLED = 4.0
"""The log-likelihood of a label that balances the rules' evidence against its patch."""
FIRST = ("bar4", "fat-plus", "propeller")
OFFERING_BAR4 = (*FIRST, *(patch for patch in PATCHES if patch not in (*FIRST, "domino")), "domino")
"""A circle in which no part of a bar of four could be another patch that may be taken."""


def evidence(cells: Mapping[str, float]) -> NDArray[np.float64]:
    """Return these cells' ratios at every shift; all others surely did not change."""
    ratios = np.full((len(SHIFTS), RING, RING), -SURE)
    for name, value in cells.items():
        ratios[:, int(name[1:]), "ABCDEFGHI".index(name[0]) + 1] = value
    return ratios


def sure(cells: Iterable[str]) -> dict[str, float]:
    return dict.fromkeys(cells, SURE)


class _Printed(NamedTuple):
    """What is printed on the piece that was laid, in place of the mover's board; as in `SeenTable`."""

    labels: Sequence[float]
    named: Mapping[str, float]


class SeenTable:
    """Both quilts at rest, as evidence.

    Args:
        changed: the ratios of the first seat's quilt, by cell.
        labels: log-likelihoods of twins by their labels.
        named: log-likelihoods of patches by the label on the piece, which says nothing about the others.
        bare: cells without which, if they were expected to be empty, nothing would have changed.
        beside: the ratios of the second seat's quilt, by cell.
        visibility: that of every cell, from 0 to 1.
        tinted: cells of the first seat's quilt whose colour has changed a little.
        shade: the number of rows, from the upper edge of the picture, that a shadow has darkened.
    """

    def __init__(
        self,
        changed: Mapping[str, float],
        labels: Sequence[float] = (),
        named: Mapping[str, float] | None = None,
        bare: int = 0,
        beside: Mapping[str, float] | None = None,
        visibility: float = 1.0,
        tinted: Iterable[str] = (),
        shade: int = 0,
    ) -> None:
        self._changed, self._bare = {1: changed, 2: beside or {}}, bare
        self._printed = _Printed(labels, named or {})
        self.visibility = np.full((RING, RING), visibility)
        view = PLAIN.view.copy()
        view[:shade] //= 2
        for row, column in (divmod(index, 9) for index in indices_of(mask_of(tinted))):
            cell = (slice(48 + 32 * row, 80 + 32 * row), slice(48 + 32 * column, 80 + 32 * column))
            view[cell] = (114, 120, 126)
        self._look = look_at(view)
        self.remembered: list[tuple[int, int, int]] = []
        self.at_rest = {1, 2}
        self.looked: list[int] = []

    def follow_decision(self, understood: Mapping[int, Understood]) -> None:
        self.remembered += [(seat, each.quilt, each.believed) for seat, each in understood.items()]

    def remember(self, seat: int, understood: Understood) -> None:
        self.remembered.append((seat, understood.quilt, understood.believed))

    def take_back(self, quilts: Mapping[int, int]) -> None:
        assert quilts
        self.remembered.clear()

    def compare(self, seat: int, quilt: int) -> Observation:
        if seat not in self.at_rest:
            raise UnreadableQuiltError(seat)
        self.looked.append(seat)
        is_as_expected = seat == 1 and self._bare and not quilt & self._bare
        ratios = evidence({} if is_as_expected else self._changed[seat])
        crept = np.zeros((RING, RING), np.bool_)
        picture = PlacedPicture(np.zeros((1, 1, 3), np.uint8), {1: cast("Homography", self._printed)})
        seen = Observation(
            ratios, ratios[0], np.zeros((WINDOWS, WINDOWS)), crept, PLAIN, self._look, 0.0, FRAME, picture
        )
        return replace(seen, visibility=self.visibility)


@pytest.fixture(autouse=True)
def labels_in_place_of_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the reader take what is printed from the picture, in place of the mover's board, and see no token."""

    def compared(_: object, printed: _Printed, mask: int, patches: Sequence[str]) -> NDArray[np.float64]:
        assert mask == mask_of(CORNER)
        return np.array(printed.labels)[: len(patches)]

    def read(_: object, printed: _Printed, cells: Sequence[tuple[int, int]]) -> NDArray[np.float64]:
        assert len(cells) > 1, "a label lies between two cells"
        likelihoods = np.zeros((COSTS, TIMES))
        for patch, value in printed.named.items():
            likelihoods[PATCHES[patch].buttons, PATCHES[patch].time - 1] = value
        return likelihoods

    monkeypatch.setattr("companion.patchwork.reading.reader.read_tag_on", read)
    monkeypatch.setattr("companion.patchwork.reading.reader.twin_likelihoods", compared)
    monkeypatch.setattr("companion.patchwork.reading.observer.token_in_cell", lambda *_: None)


def played(*decisions: TakePatch | Advance, market: tuple[str, ...] | None = None) -> History:
    history = History(Setup(players=("Anna", "Boris"), market=market))
    for decision in decisions:
        history.apply(decision)
    return history


def reading(table: SeenTable, confidence: float = 0.95) -> tuple[QuiltObserver, Reader]:
    observer = QuiltObserver(cast("QuiltComparer", table))
    return observer, Reader(observer, confidence)


def verdict(table: SeenTable, *decisions: TakePatch | Advance, market: tuple[str, ...] | None = None) -> object:
    _, reader = reading(table)
    return reader.read(played(*decisions, market=market))


@pytest.mark.parametrize(("weakest", "asks"), [(-3.4, False), (-3.6, True)])
def test_a_cell_that_has_certainly_not_changed_makes_a_question_of_a_reading(weakest: float, *, asks: bool) -> None:
    bar = ("C5", "D5", "E5", "F5")
    found = verdict(SeenTable({**sure(bar), "E5": weakest}), market=OFFERING_BAR4)
    if asks:
        assert isinstance(found, Question), found
        assert found.asks is QuestionTopic.CELLS
        assert TakePatch(1, "bar4", mask_of(bar)) in found.options
    else:
        assert isinstance(found, Reading), found
        assert found.decision == TakePatch(1, "bar4", mask_of(bar))


def test_a_question_has_no_more_options_than_the_lights_show_also_if_each_place_fits_two_twins() -> None:
    twins = ("corner-b1", "corner-b3", "propeller")
    market = (*twins, *(patch for patch in PATCHES if patch not in (*twins, "domino")), "domino")
    doubtful = dict.fromkeys(("C4", "C5", "E4", "E5"), 0.3)
    found = verdict(SeenTable({**sure(("D4", "D5")), **doubtful}), market=market)
    assert isinstance(found, Question), found
    assert len(found.options) == MOST_OPTIONS
    covered = [cells_covered(option) for option in found.options]
    assert mask_of(found.cells) == covered[0] ^ covered[-1]
    assert len(found.otherwise) > MOST_OPTIONS


def test_a_question_offers_only_what_the_rules_allow() -> None:
    """A longer bar would overlap the earlier patch, of which a cell looks changed, too."""
    earlier, shown = mask_of(("E5", "E6", "F6")), {**sure(("C5", "D5")), "E5": 3.0, "B5": 0.0}
    game = (TakePatch(1, "corner-b1", earlier), Advance(2))
    found = verdict(SeenTable(shown), *game)
    assert isinstance(found, Question), found
    state = played(*game).state
    for option in found.options:
        check(state, option)
    assert {option.patch for option in found.options if isinstance(option, TakePatch)} == {"domino", "bar3"}


@pytest.mark.parametrize("weak", [1.0, 1.5, 3.0])
def test_a_quilt_that_seems_a_little_changed_all_over_cannot_be_read(weak: float) -> None:
    """No placement is likely then, though a legal one is likelier than all others."""
    found = verdict(SeenTable(dict.fromkeys(EVERYWHERE, weak)))
    assert isinstance(found, Complaint), found
    assert (found.reason, found.seat) == (Reason.UNCLEAR, 1)
    assert found.otherwise


@pytest.mark.parametrize(("visibility", "asks"), [(0.1, False), (1.0, True)])
def test_answers_that_are_probably_all_wrong_are_not_offered_where_cells_cannot_be_seen(
    visibility: float, *, asks: bool
) -> None:
    faint = {**dict.fromkeys(EVERYWHERE, -0.7), "C5": 2.6, "D5": 1.9}
    found = verdict(SeenTable(faint, visibility=visibility), market=OFFERING_BAR4)
    assert isinstance(found, Question if asks else Complaint), found
    if isinstance(found, Complaint):
        assert "too dark" in found.says
    assert isinstance(found, Question | Complaint)
    assert found.otherwise, "players who insist are asked"


def test_likely_answers_are_offered_also_where_cells_cannot_be_seen() -> None:
    bar = ("C5", "D5", "E5", "F5")
    faint = {**dict.fromkeys(EVERYWHERE, -0.8), **dict.fromkeys(("G5", *bar), 2.3)}
    found = verdict(SeenTable(faint, visibility=0.1), market=OFFERING_BAR4)
    assert isinstance(found, Question), found
    assert TakePatch(1, "bar4", mask_of(bar)) in found.options


@pytest.mark.parametrize(("visibility", "reason"), [(0.1, Reason.UNCLEAR), (1.0, Reason.NOT_AFFORDABLE)])
def test_an_unlikely_mistake_is_not_complained_of_where_cells_cannot_be_seen(visibility: float, reason: Reason) -> None:
    # A hat or a boot, neither of which can be paid.
    either = {**sure(("C5", "D5", "E5", "F5")), "D4": 12.0, "C4": 0.0, "E4": 0.0}
    market = ("hat", "boot", *(patch for patch in OFFERING_BAR4 if patch not in ("hat", "boot")))
    found = verdict(SeenTable(either, visibility=visibility), market=market)
    assert isinstance(found, Complaint), found
    assert found.reason is reason


def test_a_very_unlikely_placement_is_not_asked_about() -> None:
    bar = ("C5", "D5", "E5", "F5")
    found = verdict(SeenTable(dict.fromkeys(bar, FAINT)), market=OFFERING_BAR4)
    assert isinstance(found, Complaint), found
    assert found.reason is Reason.NOTHING_PLACED


@pytest.mark.parametrize(("seen", "asks"), [(("C5", "D5"), True), (("C5", "D5", "E5"), False)])
def test_a_patch_half_of_which_cannot_be_seen_is_asked_about(seen: Sequence[str], *, asks: bool) -> None:
    bar = ("C5", "D5", "E5", "F5")
    table = SeenTable({**dict.fromkeys(bar, -0.3), **sure(seen)})
    table.visibility[5, 3:7] = 0.1
    found = verdict(table, market=OFFERING_BAR4)
    laid = TakePatch(1, "bar4", mask_of(bar))
    if asks:
        assert isinstance(found, Question), found
        assert laid in found.options
    else:
        assert isinstance(found, Reading), found
        assert found.decision == laid


@pytest.mark.parametrize(("visibility", "reason"), [(0.45, Reason.UNCLEAR), (0.55, Reason.NOTHING_PLACED)])
def test_nothing_is_said_to_be_new_only_where_a_patch_would_be_seen(visibility: float, reason: Reason) -> None:
    found = verdict(SeenTable({}, visibility=visibility))
    assert isinstance(found, Complaint), found
    assert found.reason is reason


@pytest.mark.parametrize(("visibility", "asks"), [(0.65, True), (1.0, False)])
def test_a_patch_whose_print_looks_like_the_board_is_asked_about_by_its_colour_where_prints_are_seen_badly(
    visibility: float, *, asks: bool
) -> None:
    bar = ("C5", "D5", "E5", "F5")
    found = verdict(SeenTable({}, visibility=visibility, tinted=bar), market=OFFERING_BAR4)
    if asks:
        assert isinstance(found, Question), found
        assert found.options[0] == TakePatch(1, "bar4", mask_of(bar))
        assert found.none_first
    else:
        assert isinstance(found, Complaint), found
        assert found.reason is Reason.NOTHING_PLACED
        assert "blurred" not in found.says


@pytest.mark.parametrize("tinted", [("C5", "D5", "E5", "F5"), ()])
def test_players_who_say_that_a_patch_lies_there_are_offered_what_has_an_outline(tinted: tuple[str, ...]) -> None:
    table = SeenTable({}, visibility=0.65, tinted=tinted)
    table.visibility[5, 3:7] = 0.8
    found = verdict(table, market=OFFERING_BAR4)
    assert isinstance(found, Complaint), found
    assert found.reason is Reason.NOTHING_PLACED
    assert found.otherwise[:1] == ((TakePatch(1, "bar4", mask_of(tinted)),) if tinted else ())


@pytest.mark.parametrize(("outlined", "visibility", "asks"), [
    (("C5", "D5", "E5", "F5"), 0.45, False), (("C5", "D5", "E5"), 0.45, True), (("C5", "D5", "E5"), 0.55, False),
])  # fmt: skip
def test_a_patch_that_is_seen_badly_is_read_only_if_its_outline_agrees(
    outlined: tuple[str, ...], visibility: float, *, asks: bool
) -> None:
    bar, market = ("C5", "D5", "E5", "F5"), ("bar4", "bar3", *(each for each in OFFERING_BAR4 if each[:3] != "bar"))
    market = (*market[:-1], "bar5", market[-1])
    table = SeenTable({**sure(bar), "F5": 5.0}, visibility=visibility, tinted=outlined)
    found = verdict(table, market=market)
    assert isinstance(found, Question if asks else Reading), found
    if isinstance(found, Question):
        assert TakePatch(1, "bar3", mask_of(bar[:3])) in found.options


@pytest.mark.parametrize(("second", "asks"), [(1.7, True), (6.0, False)])
def test_a_possible_token_across_an_edge_is_asked_about_and_not_taken_by_pressing_again(
    second: float, *, asks: bool
) -> None:
    found = verdict(SeenTable({"G7": 10.0, "H7": second}))
    assert isinstance(found, Question if asks else Reading), found
    if isinstance(found, Question):
        assert found.options == (TakePatch(1, "domino", mask_of(("G7", "H7"))),)
        assert found.none_first


@pytest.mark.parametrize(("beside", "asks"), [((0.0, -0.5), True), ((0.0, -3.0), False)])
def test_a_patch_beside_which_cells_do_not_look_bare_is_asked_about_and_not_taken_by_pressing_again(
    beside: Sequence[float], *, asks: bool
) -> None:
    bar = ("C5", "D5", "E5", "F5")
    found = verdict(SeenTable({**sure(bar), **dict(zip(("D6", "E6"), beside, strict=True))}), market=OFFERING_BAR4)
    assert isinstance(found, Question if asks else Reading), found
    if isinstance(found, Question):
        assert TakePatch(1, "bar4", mask_of(bar)) in found.options
        assert found.none_first


def test_a_possible_part_of_a_larger_patch_is_asked_about_with_the_larger_ones() -> None:
    part = ("E5", "D6", "E6")
    rest = {"F6": -1.5, "D7": -1.5, "E7": -1.5, "F7": -1.5, "E8": -2.0}
    first = ("corner-b1", "fat-plus", "propeller")
    market = (*first, *(patch for patch in PATCHES if patch not in (*first, "domino")), "domino")
    found = verdict(SeenTable({**sure(part), **rest}), market=market)
    assert isinstance(found, Question), found
    assert TakePatch(1, "corner-b1", mask_of(part)) == found.options[0]
    assert TakePatch(1, "fat-plus", mask_of((*part, *rest))) in found.options
    assert found.none_first


@pytest.mark.parametrize(("columns", "is_said"), [(9, True), (2, False)])
def test_the_edge_of_a_shadow_is_no_patch_and_a_bad_picture_but_not_a_bad_rim_is_said(
    columns: int, *, is_said: bool
) -> None:
    table = SeenTable({}, shade=180)
    table.visibility[:, : columns + 1] = 0.65
    found = verdict(table, market=OFFERING_BAR4)
    assert isinstance(found, Complaint), found
    assert found.reason is Reason.NOTHING_PLACED
    assert ("blurred" in found.says) == is_said


def test_an_uncertain_mistake_is_no_complaint_if_the_outline_is_that_of_a_patch_that_may_be_taken() -> None:
    bar = ("C5", "D5", "E5", "F5")
    table = SeenTable({**sure(bar[:2]), "E5": -5.0, "F5": -5.0}, tinted=bar)
    refused = SeenTable({**sure(bar[:2]), "E5": -5.0, "F5": -5.0})
    found, without = (verdict(each, market=OFFERING_BAR4) for each in (table, refused))
    assert isinstance(without, Complaint), without
    assert without.reason is Reason.NOT_OFFERED
    assert isinstance(found, Question), found
    assert found.options[0] == TakePatch(1, "bar4", mask_of(bar))


def test_an_outline_without_cells_that_surely_changed_is_asked_about_with_none_of_these_first() -> None:
    bar = ("C5", "D5", "E5", "F5")
    found = verdict(SeenTable({"C5": 5.0, "D5": 5.0, "E5": -3.0, "F5": -3.0}, tinted=bar), market=OFFERING_BAR4)
    assert isinstance(found, Question), found
    assert found.none_first


def test_a_single_cell_that_cannot_be_seen_hides_no_patch() -> None:
    table = SeenTable({})
    table.visibility[5, 5] = 0.1
    found = verdict(table)
    assert isinstance(found, Complaint), found
    assert found.reason is Reason.NOTHING_PLACED


@pytest.mark.parametrize("ratio", [1.2, 0.0, -0.3])
def test_a_placement_that_may_be_there_is_asked_about_before_a_complaint_of_nothing(ratio: float) -> None:
    bar = ("C5", "D5", "E5", "F5")
    found = verdict(SeenTable(dict.fromkeys(bar, ratio)), market=OFFERING_BAR4)
    assert isinstance(found, Question), found
    assert found.none_first
    assert found.options == (TakePatch(1, "bar4", mask_of(bar)),)
    assert found.cells == bar


BAR_IN_PLUS = ("D3", "D4", "D5", "D6")
"""Cells of a bar of four that are cells of a fat plus as well."""
REST_OF_PLUS = ("C4", "C5", "E4", "E5")


@pytest.mark.parametrize(("lead", "rest", "asks"), [(2.9, -2.5, False), (3.1, -2.5, True), (9.0, -4.5, False)])
def test_a_label_of_another_patch_that_may_lie_there_makes_a_question(lead: float, rest: float, *, asks: bool) -> None:
    cells = {**sure(BAR_IN_PLUS), **dict.fromkeys(REST_OF_PLUS, rest)}
    found = verdict(SeenTable(cells, named={"fat-plus": lead}), market=OFFERING_BAR4)
    bar = TakePatch(1, "bar4", mask_of(BAR_IN_PLUS))
    if asks:
        assert isinstance(found, Question), found
        # The bar first, because labels are misread now and then.
        assert found.options[:2] == (bar, TakePatch(1, "fat-plus", mask_of((*BAR_IN_PLUS, *REST_OF_PLUS))))
        assert set(REST_OF_PLUS) <= set(found.cells)
        assert not found.none_first
    else:
        assert isinstance(found, Reading), found
        assert found.decision == bar


@pytest.mark.parametrize(("lead", "place"), [(0.9, None), (1.1, 1), (3.1, 0)])
def test_the_patch_that_a_label_names_is_an_option_of_a_doubt(lead: float, place: int | None) -> None:
    """One cell of the bar contradicts it, and so it is asked about in any case."""
    cells = {**sure(BAR_IN_PLUS), **dict.fromkeys(REST_OF_PLUS, -2.5), "D6": -3.6}
    found = verdict(SeenTable(cells, named={"fat-plus": lead}), market=OFFERING_BAR4)
    assert isinstance(found, Question), found
    patches = [option.patch for option in found.options if isinstance(option, TakePatch)]
    assert (patches.index("fat-plus") if "fat-plus" in patches else None) == place


@pytest.mark.parametrize(("lead", "asks"), [(1.9, True), (2.1, False), (-1.9, True), (-2.1, False)])
def test_twins_are_asked_about_unless_their_labels_tell_them_apart(lead: float, *, asks: bool) -> None:
    found = verdict(SeenTable(sure(CORNER), labels=(0.0, lead)))
    likelier = ("corner-b1", "corner-b3")[lead > 0]
    if asks:
        assert isinstance(found, Question), found
        assert found.asks is QuestionTopic.WHICH_PATCH
        assert {option.patch for option in found.options if isinstance(option, TakePatch)} == {"corner-b1", "corner-b3"}
    else:
        assert isinstance(found, Reading), found
        assert found.decision == TakePatch(1, likelier, mask_of(CORNER))
        # As likely as its cells, and as this twin against the other.
        assert found.confidence == pytest.approx(1 / (1 + np.exp(-abs(lead))), rel=0.01)


def test_a_twin_that_is_not_on_offer_is_complained_of_if_it_is_not_the_other() -> None:
    others = [patch for patch in PATCHES if patch not in ("corner-b1", "corner-b3", "domino")]
    market = ("corner-b3", *others, "corner-b1", "domino")
    found = verdict(SeenTable(sure(CORNER), labels=(LABELLED, 0.0)), market=market)
    assert isinstance(found, Question), found
    assert found.options == (TakePatch(1, "corner-b3", mask_of(CORNER)),)
    assert found.else_wrong is not None
    assert found.else_wrong.reason is Reason.NOT_OFFERED


def test_a_patch_that_was_lifted_off_is_said_to_be_gone_and_no_other_to_lie_in_its_place() -> None:
    laid = mask_of(CORNER)
    found = verdict(SeenTable(sure(CORNER), bare=laid), TakePatch(1, "corner-b1", laid), Advance(2))
    assert isinstance(found, Complaint), found
    assert (found.reason, found.seat, set(found.cells)) == (Reason.MOVED, 1, set(CORNER))


def test_a_patch_that_was_laid_over_another_is_said_to_overlap() -> None:
    laid = mask_of(CORNER)
    found = verdict(SeenTable(sure(CORNER)), TakePatch(1, "corner-b1", laid), Advance(2))
    assert isinstance(found, Complaint), found
    assert found.reason is Reason.OVERLAP


def test_a_rejected_complaint_makes_its_cells_expected() -> None:
    laid = mask_of(CORNER)
    table = SeenTable(sure(CORNER), bare=laid)
    (observer, reader), history = reading(table), played(TakePatch(1, "corner-b1", laid), Advance(2))
    denied = reader.read(history)
    assert isinstance(denied, Complaint), denied
    assert denied.reason is Reason.MOVED

    history.apply(Advance(1))
    observer.remember(history.state, history.decisions[-1], denied)
    assert table.remembered == [(1, laid, laid)]
    history.apply(Advance(2))
    found = reader.read(history)
    assert isinstance(found, Complaint), found
    assert found.reason is Reason.NOTHING_PLACED


def test_a_complaint_that_was_not_rejected_is_repeated() -> None:
    laid = mask_of(CORNER)
    table = SeenTable(sure(CORNER), bare=laid)
    (observer, reader), history = reading(table), played(TakePatch(1, "corner-b1", laid), Advance(2))
    first = reader.read(history)
    history.apply(Advance(1))
    observer.remember(history.state, history.decisions[-1])
    assert table.remembered == [(1, laid, 0)]
    history.apply(Advance(2))
    again = reader.read(history)
    assert isinstance(first, Complaint)
    assert isinstance(again, Complaint)
    assert (again.reason, again.cells) == (first.reason, first.cells)


def _denying(seat: int, table: SeenTable) -> tuple[Reader, History]:
    """Let Anna take a patch in spite of a complaint about the same cells of a quilt, until its owner's turn."""
    decision = TakePatch(1, "corner-b1", mask_of(CORNER))
    (observer, reader), history = reading(table), played()
    observer.observe_all(history.state)
    history.apply(decision)
    observer.remember(history.state, decision, Complaint(Reason.UNCLEAR, seat, CORNER, "", FRAME))
    while history.state.turn != seat:
        history.apply(Advance(history.state.mover))
    return reader, history


def test_cells_that_a_decision_covers_are_believed_of_no_other_reason() -> None:
    reader, history = _denying(1, SeenTable(sure(CORNER)))
    found = reader.read(history)
    assert isinstance(found, Complaint), found
    assert found.reason is not Reason.NOTHING_PLACED


def test_the_same_cells_of_the_other_quilt_are_believed() -> None:
    reader, history = _denying(2, SeenTable({}, beside=sure(CORNER)))
    found = reader.read(history)
    assert isinstance(found, Complaint), found
    assert found.reason is Reason.NOTHING_PLACED


@pytest.mark.parametrize(("label", "asks"), [(SURE, QuestionTopic.CELLS), (0.0, QuestionTopic.WHICH_PATCH)])
def test_a_reading_that_rests_on_what_was_believed_with_an_undone_decision_is_a_question(
    label: float, asks: QuestionTopic
) -> None:
    table = SeenTable({**sure(CORNER), "A1": SURE}, labels=(0.0, label))
    (observer, reader), history = reading(table), played()
    observer.observe_all(history.state)
    history.apply(Advance(1))
    observer.remember(history.state, Advance(1), Complaint(Reason.OBJECT, 1, ("A1",), "", FRAME))
    history.undo()
    assert table.remembered
    observer.take_back(history.state)
    assert table.remembered == [], "the watch forgets what it has remembered with the decision"
    found = reader.read(history)
    assert isinstance(found, Question), found
    assert found.asks is asks


def test_a_quilt_is_looked_at_once_for_a_verdict_and_anew_for_the_next() -> None:
    table = SeenTable(sure(CORNER), labels=(0.0, SURE))
    (observer, reader), history = reading(table), played()
    observer.observe_all(history.state)
    assert table.looked == [1, 2]
    assert reader.unconfirmed_placement(history) is not None
    assert table.looked == [1, 2]
    assert isinstance(reader.read(history), Reading)
    assert table.looked == [1, 2, 1]


def test_a_look_is_over_with_the_decision_that_it_led_to() -> None:
    table = SeenTable(sure(CORNER), labels=(0.0, SURE))
    (observer, reader), history = reading(table), played()
    found = reader.read(history)
    assert isinstance(found, Reading)
    history.apply(found.decision)
    observer.remember(history.state, found.decision)
    assert dict(observer.thumbnails) == {}
    history.apply(Advance(history.state.mover))
    observer.remember(history.state, history.decisions[-1])
    assert [seat for seat, _, _ in table.remembered] == [1], "each observation is remembered once"


def test_only_quilts_at_rest_are_looked_at() -> None:
    table = SeenTable(sure(CORNER))
    (observer, reader), history = reading(table), played()
    table.at_rest = {2}
    observer.observe_all(history.state)
    assert (table.looked, list(observer.thumbnails)) == ([2], [2])
    with pytest.raises(UnreadableQuiltError):
        reader.read(history)
    table.at_rest = set()
    observer.observe_all(history.state)
    assert (table.looked, list(observer.thumbnails)) == ([2], [])


BAR5 = ("C5", "D5", "E5", "F5", "G5")
"""The cells of a patch that costs 7 buttons; a player begins with 5."""


def unconfirmed_placement(table: SeenTable, *market: str) -> Complaint | None:
    """Return the complaint to a player who advances, with these patches on offer and then all others."""
    observer, reader = reading(table)
    rest = [patch for patch in PATCHES if patch not in (*market, "domino")]
    history = played(market=(*market, *rest, "domino"))
    observer.observe_all(history.state)
    return reader.unconfirmed_placement(history)


def test_a_patch_left_lying_that_may_be_taken_is_to_be_confirmed() -> None:
    found = unconfirmed_placement(SeenTable(sure(("C5", "D5", "E5", "F5"))), *FIRST)
    assert found is not None
    assert (found.reason, set(found.cells)) == (Reason.UNCLEAR, {"C5", "D5", "E5", "F5"})
    assert found.otherwise == (TakePatch(1, "bar4", mask_of(("C5", "D5", "E5", "F5"))),)


def test_twins_left_lying_are_to_be_confirmed_whichever_it_is() -> None:
    found = unconfirmed_placement(SeenTable(sure(CORNER), labels=(0.0, 0.0)), "corner-b1", "corner-b3", "bar4")
    assert found is not None
    assert found.reason is Reason.UNCLEAR
    assert {each.patch for each in found.otherwise if isinstance(each, TakePatch)} == {"corner-b1", "corner-b3"}


@pytest.mark.parametrize(
    ("offered", "reason"),
    [
        (("bar5", "fat-plus", "propeller"), Reason.NOT_AFFORDABLE),
        (("cup", "fat-plus", "propeller"), Reason.NOT_OFFERED),
    ],
)
def test_a_patch_left_lying_that_may_not_be_taken_is_complained_of_as_such(
    offered: tuple[str, ...], reason: Reason
) -> None:
    found = unconfirmed_placement(SeenTable(sure(BAR5)), *offered)
    assert found is not None
    assert (found.reason, set(found.cells), found.then) == (reason, set(BAR5), NextStep.PLACEMENT_OR_ADVANCE)


def test_a_twin_left_lying_that_is_not_on_offer_is_complained_of_as_such() -> None:
    found = unconfirmed_placement(SeenTable(sure(CORNER), labels=(2 * LABELLED, 0.0)), "corner-b3", "fat-plus", "bar4")
    assert found is not None
    assert (found.reason, found.then) == (Reason.NOT_OFFERED, NextStep.PLACEMENT_OR_ADVANCE)


@pytest.mark.parametrize(
    "shown",
    [
        {},
        dict.fromkeys(BAR5, 1.0),
        {**sure(BAR5), "E5": -4.0},
        {**sure(BAR5), "A1": SURE},
    ],
    ids=["nothing", "a shadow, perhaps", "a gap", "something beside it"],
)
def test_an_uncertain_placement_does_not_hold_an_advance_back(shown: Mapping[str, float]) -> None:
    assert unconfirmed_placement(SeenTable(shown), "bar5", "fat-plus", "propeller") is None


def test_before_a_glance_nothing_is_known_to_lie_there() -> None:
    _, reader = reading(SeenTable(sure(BAR5)))
    assert reader.unconfirmed_placement(played()) is None
