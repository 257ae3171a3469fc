"""The sentence on what is to be done now, derived from the state alone, for everything that tells it to players."""

from companion.games.patchwork.rules import can_buy
from companion.games.patchwork.state import State
from companion.languages import Sentence, said
from companion.patchwork.arrangement import Presses
from companion.patchwork.reading.verdict import Complaint, Question
from companion.patchwork.words import sentences
from companion.play.events import Pending
from companion.play.page import Visibility


def now(
    state: State,
    pending: Pending[Question, Complaint],
    presses: Presses,
    visibility: Visibility,
    robot: int | None = None,
    *,
    is_laid: bool = False,
    why_unseen: str = "",
    is_watched: bool = False,
) -> str:
    """Return the sentence on what is to be done now; empty after the end of a game about which nothing is open.

    Args:
        state: the rules' state.
        pending: the pending look, question, complaint and announcement.
        presses: the decisions for which players at this table press a button.
        visibility: what the camera sees of the table.
        robot: the robot's seat; None if people have both.
        is_laid: whether its patches are laid without the readers, as at a simulated table.
        why_unseen: the sentence on why the boards are not seen; empty if it is not known, or they are.
        is_watched: whether nobody plays but simulated players, who are asked for nothing.
    """
    if pending.question is not None:
        return pending.question.says
    if state.turn is not None and not visibility.camera and not visibility.awaited:
        return said("The camera sends no pictures.")
    if pending.complaint is not None and not pending.looking and pending.foreseen is None:
        return pending.complaint.says
    if state.turn is None:
        return ""
    if (state.turn == robot or is_watched) and _is_seen(pending, visibility):
        name = state.setup.players[state.turn - 1]
        return _of_simulated(state, name) if is_watched else _of_robot(name, pending, presses, is_laid=is_laid)
    return _of_turn(state, pending, presses, visibility, why_unseen)


def _is_seen(pending: Pending[Question, Complaint], visibility: Visibility) -> bool:
    """Return whether the camera sees both boards, and nothing is looked at or announced."""
    return visibility.camera and visibility.boards_seen and not pending.looking and pending.foreseen is None


def _of_robot(name: str, pending: Pending[Question, Complaint], presses: Presses, *, is_laid: bool) -> Sentence:
    if pending.proposed is None:
        return said("{name} is thinking.", name=name)
    if is_laid:
        return said("{name} is laying the patch.", name=name)
    if presses is Presses.EACH:
        return said("Lay the patch for {name} where it is drawn, and press confirm.", name=name)
    return said("Lay the patch for {name} where it is drawn.", name=name)


def _of_simulated(state: State, name: str) -> Sentence:
    if state.leather_due:
        return said("{name} lays the leather patch.", name=name)
    if can_buy(state):
        return said("{name} chooses a patch, or advances.", name=name)
    return said("{name} can buy nothing, and advances.", name=name)


def _of_turn(
    state: State,
    pending: Pending[Question, Complaint],
    presses: Presses,
    visibility: Visibility,
    why_unseen: str,
) -> str:
    if not visibility.camera:
        return said("The camera is starting.")
    if not visibility.boards_seen:
        return why_unseen or _boards_missing(state, visibility.in_view)
    if pending.looking:
        name = state.setup.players[state.mover - 1]
        return said("The camera is looking: {name}’s quilt must be still, with no hand over it.", name=name)
    return _due(state, presses) if pending.foreseen is None else sentences(pending.foreseen)[0]


def _boards_missing(state: State, in_view: tuple[int, ...]) -> str:
    if state.decisions_made:
        return said("The companion is looking for both quilt boards: leave them in view, where they are.")
    if in_view == (1, 2):
        return said("Both quilt boards are in view: keep hands and patches off them for a moment.")
    return said("Place both quilt boards in view, with nothing on them.")


def _due(state: State, presses: Presses) -> Sentence:
    """Return the sentence on the decision that is due."""
    name = state.setup.players[state.mover - 1]
    if state.leather_due:
        if presses is Presses.EACH:
            return said("{name} lays the leather patch and presses confirm.", name=name)
        return said("{name} lays the leather patch.", name=name)
    return _choice_due(name, presses) if can_buy(state) else _advance_due(name, presses)


def _advance_due(name: str, presses: Presses) -> Sentence:
    if presses is Presses.NONE:
        return said("{name} can buy nothing, and advances by moving the marker.", name=name)
    return said("{name} can buy nothing: press advance.", name=name)


def _choice_due(name: str, presses: Presses) -> Sentence:
    match presses:
        case Presses.EACH:
            return said("{name} lays a patch and presses confirm, or presses advance.", name=name)
        case Presses.ADVANCE:
            return said("{name} lays a patch, or presses advance.", name=name)
        case Presses.NONE:
            return said("{name} lays a patch, or advances by moving the marker.", name=name)
