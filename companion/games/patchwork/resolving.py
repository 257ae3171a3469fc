"""Resolution of covered cells to the decision that explains them."""

from companion.games.patchwork.cells import ALL_CELLS
from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Decision, PlaceLeather, TakePatch
from companion.games.patchwork.errors import IllegalDecisionError, IllegalReason, PatchworkError
from companion.games.patchwork.legality import check, check_for_sale, offers
from companion.games.patchwork.placements import placement_set
from companion.games.patchwork.state import State
from companion.languages import any_of, said


class AmbiguousDecisionError(PatchworkError):
    """Covered cells that more than one decision explains.

    Attributes:
        candidates: the decisions, in the order of the offers; at least two.
    """

    def __init__(self, says: str, candidates: tuple[Decision, ...]) -> None:
        super().__init__(says)
        self.candidates = candidates


def resolve(state: State, seat: int, cells: int, patch: str | None = None) -> Decision:
    """Return the decision of a seat that newly covers exactly `cells` (bit mask), of `patch` if given.

    Legality is left to `apply`.

    Raises:
        AmbiguousDecisionError: if two patches on offer that the seat can pay have this shape, and may lie there.
        IllegalDecisionError: if no decision covers these cells; the error says why.
    """
    if patch is not None:
        return TakePatch(seat, patch, cells)
    if state.leather_due or state.turn is None or seat != state.turn:
        # Also out of turn and after the end: the rules then say why nothing may be placed.
        return PlaceLeather(seat, cells)
    candidates = tuple(TakePatch(seat, name, cells) for name in _explaining(state, cells))
    if not candidates:
        raise _unexplained(cells)
    payable = tuple(candidate for candidate in candidates if _for_sale(state, candidate.patch))
    if len(payable) < 2:
        # Also one that the seat cannot pay: the rules then say what it costs.
        return (payable or candidates)[0]
    # Cells that are covered already are an error, not a question which of the patches lies there.
    for candidate in payable:
        check(state, candidate)
    raise AmbiguousDecisionError(
        said(
            "{names}: both are on offer and have this shape", names=any_of([candidate.patch for candidate in payable])
        ),
        payable,
    )


def _explaining(state: State, cells: int) -> tuple[str, ...]:
    """Return the patches of this shape: those on offer, else any."""
    offered = tuple(name for name in offers(state) if cells in placement_set(name))
    return offered or tuple(name for name in PATCHES if cells in placement_set(name))


def _for_sale(state: State, patch: str) -> bool:
    try:
        check_for_sale(state, patch)
    except IllegalDecisionError:
        return False
    return True


def _unexplained(cells: int) -> IllegalDecisionError:
    if cells < 0 or cells > ALL_CELLS:
        return IllegalDecisionError(
            IllegalReason.OVER_THE_EDGE, said("that goes over the edge of the board"), cells & ALL_CELLS
        )
    return IllegalDecisionError(IllegalReason.WRONG_SHAPE, said("no patch has this shape"), cells)
