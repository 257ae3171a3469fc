"""The sentences of complaints and questions: the fault, its cells and the remedy, in the players' words.

The next step after the correction differs between tables: `to_be_confirmed` and `hands_free` add it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import combinations
from operator import or_, xor
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Decision, PlaceLeather, TakePatch, cells_covered
from companion.games.patchwork.rules import offers
from companion.games.patchwork.state import State
from companion.languages import Sentence, all_of, any_of, counted, said
from companion.patchwork.naming import cell_names, patch_name, patch_names
from companion.patchwork.reading.explain import MOST_OPTIONS, Explanation, ExplanationKind
from companion.patchwork.reading.verdict import Complaint, NextStep, Question, QuestionTopic, Reason
from vision.quilt.look import is_untouched

TIMES: Final = 3
"""The number of complaints of one kind in a row after which players are asked even if the picture seems to have
changed, because shadows can change it."""


class ComplaintHistory:
    """The last complaint announced, the picture that caused it, and the decisions that players have refused.

    The camera can be wrong about an old patch or a shadow permanently, and without a page the push-buttons alone must
    suffice to continue. A player who finds nothing wrong and presses confirm again is asked a question; one who has
    corrected something causes a new picture, which gets a verdict of its own. Refused options are not offered again
    before the others: each refusal leads to less likely ones, and after the last the complaint lists other ways out.
    """

    def __init__(self) -> None:
        self._last: Complaint | None = None
        self._seen: Mapping[int, NDArray[np.float32]] = {}
        self._times = 0
        self._asked: Question | None = None
        self._refused: set[Decision] = set()

    def asked(self, question: Question) -> bool:
        """Return whether a question is the latest that replaced a complaint."""
        return question is self._asked

    def forget(self) -> None:
        """Reset, when the game has advanced."""
        self._last, self._times, self._seen = None, 0, {}
        self._refused.clear()

    def refuse(self, question: Question) -> None:
        """Record that none of a question's options is right."""
        self._refused.update(question.options)

    def weigh(self, verdict: Question | Complaint, seen: Mapping[int, NDArray[np.float32]]) -> Question | Complaint:
        """Return the doubt about a press, or its replacement: a question or a complaint with ways out.

        A complaint is replaced if players insist on it, a question if all its options were refused. The thumbnails are
        of the quilts that the verdict is about, by seat.
        """
        if isinstance(verdict, Question):
            # A picture that has caused a doubt before may show no patch: pressing confirm again takes none.
            if self._is_untouched(verdict.seat, seen):
                verdict = replace(verdict, none_first=True)
            self._last, self._times, self._seen = None, 0, seen
            return self._widened(verdict)
        # Before it is recorded, because it is compared with the complaint before.
        insisted = self._is_insisted(verdict, seen)
        self.record(verdict, seen)
        return self.ask(verdict) if insisted else verdict

    def record(self, complaint: Complaint, seen: Mapping[int, NDArray[np.float32]]) -> None:
        """Record a complaint that was announced; arguments as for `weigh`."""
        same = self._last is not None and self._last.reason is complaint.reason
        self._times = self._times + 1 if same else 1
        self._last, self._seen = complaint, seen

    def ask(self, complaint: Complaint) -> Question | Complaint:
        """Return a question in place of a complaint, or the complaint with ways out if no alternatives are left."""
        left = self._left(complaint.otherwise)
        if not left:
            # All options were refused; start over, because the patch may have been placed again.
            self._refused.clear()
            return with_ways_out(complaint)
        self._asked = insisted(replace(complaint, otherwise=tuple(left[:MOST_OPTIONS])))
        return self._asked

    def _widened(self, question: Question) -> Question:
        """Return a question or, if all its options were refused, one with others and the likeliest refused one."""
        if not self._refused.issuperset(question.options):
            return question
        left = self._left(question.otherwise)
        if not left:
            self._refused.clear()
            return question
        again = [each for each in question.otherwise if each in question.options][:1]
        return which_else(question, (*left[: MOST_OPTIONS - len(again)], *again))

    def _left(self, ranked: Sequence[TakePatch | PlaceLeather]) -> Sequence[TakePatch | PlaceLeather]:
        """Return the decisions that were not refused."""
        return [each for each in ranked if each not in self._refused]

    def _is_insisted(self, complaint: Complaint, seen: Mapping[int, NDArray[np.float32]]) -> bool:
        last = self._last
        if last is None or last.seat != complaint.seat:
            return False
        # Neither press led to a look, so there are no pictures to compare.
        if not seen and not self._seen:
            return last.reason is complaint.reason
        is_third = last.reason is complaint.reason and self._times >= TIMES - 1
        return is_third or all(self._is_untouched(quilt, seen) for quilt in {complaint.seat, complaint.quilt})

    def _is_untouched(self, seat: int, seen: Mapping[int, NDArray[np.float32]]) -> bool:
        return seat in seen and seat in self._seen and is_untouched(seen[seat], self._seen[seat])


# The most cells that a complaint about the picture lists.
_MOST_NAMED: Final = 9


def nothing_placed(state: State, seat: int, frame: str, *, is_sure: bool = True) -> Complaint:
    """Return the complaint that nothing new was laid, or cannot be seen, if the quilt is not seen well enough."""
    name, then = state.name_of(seat), NextStep.PLACEMENT if state.leather_due else NextStep.PLACEMENT_OR_ADVANCE
    if not is_sure:
        says = said(
            "Nothing new can be seen on {name}’s quilt, but the picture is too blurred, too dark, too bright or too "
            "noisy to be sure. Lay a patch, or clean the camera’s lens, focus it, add light, or keep the sun off.",
            name=name,
        )
    elif state.leather_due:
        says = said("{name} has a leather patch to place: put it on an empty square.", name=name)
    else:
        says = said("There is nothing new on {name}’s quilt. Place the patch you are taking.", name=name)
    return Complaint(Reason.NOTHING_PLACED, seat, (), says, frame, then=then)


def wrong_seat(state: State, seat: int, mask: int, frame: str) -> Complaint:
    """Return the complaint that the new patch lies on the other player's quilt."""
    says = said(
        "It is {name}’s turn, but the new patch is on {other}’s quilt. Put it on {name}’s quilt.",
        name=state.name_of(seat),
        other=state.name_of(3 - seat),
    )
    return Complaint(Reason.WRONG_SEAT, seat, cell_names(mask), says, frame)


def stray_object(state: State, seat: int, mask: int, frame: str) -> Complaint:
    """Return the complaint that an object other than a patch lies on empty cells."""
    says = said(
        "Something that is not a patch is on {cells} of {name}’s quilt. Take it off.",
        cells=all_of(cell_names(mask)),
        name=state.name_of(seat),
    )
    return Complaint(Reason.OBJECT, seat, cell_names(mask), says, frame)


def too_early(complaint: Complaint, state: State, due: Sequence[tuple[TakePatch, int]]) -> Complaint:
    """Return a complaint about an object for two patches of which one has to wait.

    Args:
        complaint: the complaint about the object.
        state: the rules' state.
        due: the patch that can be taken now, or both, with the cells of the other one.
    """
    name, (patch, later) = state.name_of(complaint.seat), due[0]
    if len(due) > 1:
        says = said(
            "Two patches have been laid on {name}’s quilt since the last confirm, and only one of them can be taken "
            "now. Take off the one that was laid later.",
            name=name,
        )
        return replace(complaint, says=says)
    says = said(
        "Two patches have been laid on {name}’s quilt since the last confirm, and only the {patch} can be taken now. "
        "Take off the one on {cells}: it belongs to a later turn.",
        name=name,
        patch=patch_name(patch.patch),
        cells=all_of(cell_names(later)),
    )
    return replace(complaint, cells=cell_names(later), says=says)


def moved(state: State, seat: int, pieces: Sequence[str], mask: int, frame: str) -> Complaint:
    """Return the complaint that earlier pieces moved or are gone; names in `pieces` other than patches mean leather."""
    says = said(
        "On {name}’s quilt, {pieces} is no longer where it was. Put it back on {cells}.",
        name=state.name_of(seat),
        pieces=_pieces(pieces),
        cells=all_of(cell_names(mask)),
    )
    return Complaint(Reason.MOVED, seat, cell_names(mask), says, frame)


def missing(state: State, seat: int, pieces: Sequence[str], mask: int, frame: str) -> Complaint:
    """Return the complaint that pieces of a resumed game do not lie on a quilt; names as for `moved`."""
    says = said(
        "{name}’s quilt lacks {pieces}. Put it on {cells}.",
        name=state.name_of(seat),
        pieces=_pieces(pieces),
        cells=all_of(cell_names(mask)),
    )
    return Complaint(Reason.MOVED, seat, cell_names(mask), says, frame, then=NextStep.PLACEMENT_OR_ADVANCE)


def _pieces(names: Sequence[str]) -> str:
    named = [
        said("the {patch}", patch=patch_name(name)) if name in PATCHES else said("the leather patch") for name in names
    ]
    return all_of(named)


def unclear(state: State, seat: int, mask: int, frame: str) -> Complaint:
    """Return the complaint that no possible event explains the picture."""
    says = said(
        "{name}’s quilt cannot be read: something covers it, its board was moved far, or what is there is not a single "
        "patch. Clear the view, put the board back where it was, and check the patch.",
        name=state.name_of(seat),
    )
    return Complaint(Reason.UNCLEAR, seat, cell_names(mask), says, frame)


def unseen(state: State, seat: int, mask: int, frame: str) -> Complaint:
    """Return the complaint that a quilt, or some of its cells, cannot be seen well enough to be read."""
    cells, name = cell_names(mask), state.name_of(seat)
    if len(cells) > _MOST_NAMED:
        says = said(
            "{name}’s quilt is too blurred, too dark, too bright or too hazy in the picture. Clean the camera’s lens, "
            "focus it, add light, or keep the sun off.",
            name=name,
        )
    else:
        says = said(
            "On {name}’s quilt, {cells} cannot be seen well enough to tell whether a patch is there. Clean the "
            "camera’s lens, focus it, add light, or keep the sun off.",
            name=name,
            cells=all_of(cells),
        )
    return Complaint(Reason.UNCLEAR, seat, cells, says, frame)


def misplaced(state: State, seat: int, found: Explanation, frame: str) -> Complaint:
    """Return the complaint on a patch that the rules do not allow here; `found` has the explanation."""
    reason, cells, says = {
        ExplanationKind.OVERLAP: _overlap,
        ExplanationKind.OVER_THE_EDGE: _over_the_edge,
        ExplanationKind.NOT_OFFERED: _not_offered,
        ExplanationKind.NOT_AFFORDABLE: _not_affordable,
    }[found.kind](state, seat, found)
    may_advance = found.kind is ExplanationKind.NOT_AFFORDABLE
    then = NextStep.PLACEMENT_OR_ADVANCE if may_advance else NextStep.PLACEMENT
    return Complaint(reason, seat, cell_names(cells), says, frame, then=then)


def _overlap(state: State, seat: int, found: Explanation) -> tuple[Reason, int, Sentence]:
    below = found.mask & state.seat(seat).quilt
    says = said(
        "The new patch overlaps what is on {cells}. Put it on empty squares only.",
        cells=all_of(cell_names(below)),
    )
    return Reason.OVERLAP, below, says


def _over_the_edge(state: State, seat: int, found: Explanation) -> tuple[Reason, int, Sentence]:
    del state, seat
    says = said(
        "The new patch on {cells} goes over the edge of the quilt. Keep all of it on the grid.",
        cells=all_of(cell_names(found.mask)),
    )
    return Reason.OVER_THE_EDGE, found.mask, says


def _not_offered(state: State, seat: int, found: Explanation) -> tuple[Reason, int, Sentence]:
    if state.leather_due:
        name = state.name_of(seat)
        says = said("First place the leather patch that {name} has won.", name=name)
    else:
        # Of twins, one that was bought already cannot be meant.
        patch = next(patch for patch in found.patches if patch in state.unbought)
        says = said(
            "The {patch} is not on offer: take one of {offers}.",
            patch=patch_name(patch),
            offers=any_of(patch_names(offers(state))),
        )
    return Reason.NOT_OFFERED, found.mask, says


def _not_affordable(state: State, seat: int, found: Explanation) -> tuple[Reason, int, Sentence]:
    patch = next(patch for patch in found.patches if patch in offers(state))
    says = counted(
        "The price of the {patch} is {count} button, {name} has {purse}. Put it back and take another one.",
        "The price of the {patch} is {count} buttons, {name} has {purse}. Put it back and take another one.",
        PATCHES[patch].buttons,
        patch=patch_name(patch),
        name=state.name_of(seat),
        purse=state.seat(seat).buttons,
    )
    return Reason.NOT_AFFORDABLE, found.mask, says


def unconfirmed(state: State, options: Sequence[Decision], frame: str) -> Complaint:
    """Return the complaint to a player who advances although a legal new patch lies on the quilt.

    The options are the decisions that it may be, all on the same cells.
    """
    seat, cells = options[0].seat, cell_names(cells_covered(options[0]))
    says = said(
        "The patch on {name}’s quilt at {cells} has not been confirmed. Press confirm to take it, or lift it off "
        "and press advance again.",
        name=state.name_of(seat),
        cells=all_of(cells),
    )
    otherwise = tuple(each for each in options if isinstance(each, TakePatch))
    # The recordings' format, whose words the reasons are, has none for an unconfirmed patch.
    return Complaint(Reason.UNCLEAR, seat, cells, says, frame, otherwise, NextStep.NAMED)


def insisted(complaint: Complaint) -> Question:
    """Return the question that replaces a complaint if the players insist on what they have laid.

    Raises:
        IndexError: the complaint has no alternatives.
    """
    masks = [option.cells for option in complaint.otherwise]
    doubtful = _difference(masks)
    if doubtful:
        says = said(
            "You may be right: which of these answers shows the new patch as it is, with everything else as it "
            "should be?"
        )
    else:
        says = said(
            "You may be right: is the new patch on {cells}, and everything else as it should be?",
            cells=all_of(cell_names(masks[0])),
        )
    cells = cell_names(doubtful or masks[0])
    return Question(
        QuestionTopic.CELLS, complaint.seat, complaint.otherwise, cells, says, complaint.frame, none_first=True
    )


def which_else(question: Question, options: Sequence[TakePatch | PlaceLeather]) -> Question:
    """Return the question that follows one whose options were all refused, with other options."""
    masks = [option.cells for option in options]
    says = said("None of those? Which of these answers shows the new patch as it is?")
    cells = cell_names(_difference(masks) or masks[0])
    return replace(question, asks=QuestionTopic.CELLS, options=tuple(options), cells=cells, says=says, none_first=True)


def _difference(masks: Sequence[int]) -> int:
    """Return the cells that not all of the masks cover."""
    return reduce(or_, (xor(a, b) for a, b in combinations(masks, 2)), 0)


def with_ways_out(complaint: Complaint) -> Complaint:
    """Return a complaint that also says, once, how to continue if there is no question to ask."""
    if complaint.then is NextStep.ANY:
        return complaint
    says = said(
        "{complaint} If everything is as it should be: advance takes buttons instead of a patch, undo takes back "
        "the last decision, and on the page you can enter anything by hand.",
        complaint=complaint.says,
    )
    return replace(complaint, says=says, then=NextStep.ANY)


def to_be_confirmed(complaint: Complaint) -> Complaint:
    """Return a complaint with its next step at a table where each placement, and each advance, is a press."""
    match complaint.then:
        case NextStep.PLACEMENT:
            says = said("{complaint} Then press confirm.", complaint=complaint.says)
        case NextStep.PLACEMENT_OR_ADVANCE:
            says = said(
                "{complaint} Then press confirm; or press advance to take buttons instead.", complaint=complaint.says
            )
        case NextStep.NAMED | NextStep.ANY:
            return complaint
    return replace(complaint, says=says, then=NextStep.NAMED)


def hands_free(complaint: Complaint) -> Complaint:
    """Return a complaint with its next step at a hands-free table, where placements are taken without a press."""
    if complaint.then is not NextStep.PLACEMENT_OR_ADVANCE:
        return complaint
    says = said("{complaint} Or advance, to take buttons instead.", complaint=complaint.says)
    return replace(complaint, says=says, then=NextStep.NAMED)


def which_patch(seat: int, options: Sequence[TakePatch], frame: str) -> Question:
    """Return the question which of several patches of one shape was laid; their labels differ."""
    labels = [_label(option.patch) for option in options]
    if len(labels) == 1:
        says = said("Is it the {patch}?", patch=labels[0])
    else:
        says = said("Which patch is it: {patches}?", patches=any_of(labels))
    return Question(QuestionTopic.WHICH_PATCH, seat, tuple(options), (), says, frame)


def which_first(state: State, options: Sequence[TakePatch | PlaceLeather], refused: Complaint) -> Question:
    """Return the question which of two patches was laid first, as a `confirm` was forgotten."""
    says = said(
        "Two patches have been laid on {name}’s quilt since the last confirm. Which one was first? Afterwards press "
        "confirm again for the other.",
        name=state.name_of(state.mover),
    )
    cells = cell_names(reduce(or_, (option.cells for option in options)))
    return Question(QuestionTopic.CELLS, state.mover, tuple(options), cells, says, refused.frame, refused)


def gone_instead(read: TakePatch, instead: str, frame: str) -> Question:
    """Return the question whether a patch was read correctly, because another one has gone from the circle instead."""
    says = said(
        "Is it the {patch}? It still seems to be in the circle, and the {instead} is missing from it.",
        patch=_label(read.patch),
        instead=patch_name(instead),
    )
    return Question(QuestionTopic.WHICH_PATCH, read.seat, (read,), (), says, frame)


def offered_after_all(state: State, read: TakePatch, refused: Complaint) -> Question:
    """Return the question whether a patch was on offer although the circle, as it was read, says otherwise."""
    says = said(
        "Going by the circle as the camera saw it, the {patch} is not on offer: {offers} are. Was it among the "
        "three after the neutral token anyway?",
        patch=patch_name(read.patch),
        offers=all_of(patch_names(offers(state))),
    )
    return Question(QuestionTopic.WHICH_PATCH, read.seat, (read,), (), says, refused.frame, refused)


def _label(patch: str) -> Sentence:
    """Return a patch's name with the figures printed on it."""
    return counted(
        "{patch} ({count} button, {time} time)",
        "{patch} ({count} buttons, {time} time)",
        PATCHES[patch].buttons,
        patch=patch_name(patch),
        time=PATCHES[patch].time,
    )


def which_cells(seat: int, options: Sequence[Decision], doubtful: int, frame: str) -> Question:
    """Return the question which of several placements was made; they differ in a few cells."""
    cells = cell_names(doubtful)
    says = said("Does the new patch cover {cells}?", cells=any_of(cells))
    return Question(QuestionTopic.CELLS, seat, tuple(options), cells, says, frame)
