"""The choices that the game offers to the player to move."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from companion.games.kvilt.decisions import (
    Decline,
    Fetch,
    Negate,
    PencilSource,
    PlacePencil,
    Swap,
    TakeCushion,
    TakeToken,
)
from companion.games.kvilt.legal import legal_decisions
from companion.games.kvilt.sheet import Colour, lowest_rows
from companion.games.kvilt.state import CUSHION_HOLDS, Bag, Cushion, Phase, State, TaskKind
from companion.kvilt.choices import (
    Choice,
    ChoiceTopic,
    Draw,
    Exchange,
    FetchBlind,
    LookAtSheet,
    Option,
    ReportDraw,
    Take,
    TakeBack,
)
from companion.kvilt.naming import colour_word, pencils
from companion.languages import counted, said
from companion.play.game import CannotResumeError

if TYPE_CHECKING:
    from companion.journal import Journal

_DRAWN: Final = "drawn"
_DECLINED: Final = "let go"
_THEME: Final = "theme"


def themes_in(notes: Mapping[str, str], seats: int) -> tuple[str, ...]:
    """Return the theme in which each seat's sheet was last seen, from seat 1; "" for the usual one, or if unseen."""
    return tuple(notes.get(f"{_THEME} {seat}", "") for seat in range(1, seats + 1))


class TableNotes:
    """The notes of one game.

    Args:
        book: the journal.
        game_id: the game's number in it.
    """

    def __init__(self, book: Journal, game_id: int) -> None:
        self._book, self._game_id = book, game_id
        # Read once: during a game nobody else writes them.
        self._notes = dict(book.notes(game_id))

    def drawn(self, made: int) -> tuple[Colour, ...]:
        """Return the pencils that were drawn after `made` decisions and are not placed yet."""
        # A note of another number is out of date: the decision that it was for has been made or taken back.
        at, *drawn = self._notes.get(_DRAWN, "-").split()
        return tuple(drawn) if at == str(made) else ()

    def save_drawn(self, made: int, drawn: Iterable[Colour]) -> None:
        """Save the drawn pencils, so that a power cut allows no second draw."""
        self._note(_DRAWN, " ".join([str(made), *drawn]))

    def declined(self, seat: int) -> dict[str, int]:
        """Return the marks of a seat's sheet that need not count, and the round since which; 0 if it is not known."""
        return {region: since for region, (since, _) in self._declined(seat).items()}

    def uncounted(self, state: State) -> tuple[dict[str, Colour], ...]:
        """Return, from seat 1, the marks that are on each sheet and do not count, with their colours."""
        return tuple(
            {
                region: colour
                for region, (_, colour) in self._declined(seat).items()
                if colour and region not in side.marks.regions(state.setup.sheet)
            }
            for seat, side in enumerate(state.seats, start=1)
        )

    def decline(self, state: State, marks: Iterable[tuple[str, Colour | None]]) -> None:
        """Save further marks of the mover's sheet that need not count, and stay on the paper."""
        new = {region: (state.round, colour or "") for region, colour in marks}
        self._save_declined(state.mover, {**new, **self._declined(state.mover)})

    def forget_erased(self, seat: int, seen: Container[str]) -> None:
        """Forget the marks that were declined and are no longer on a seat's sheet."""
        declined = self._declined(seat)
        kept = {region: mark for region, mark in declined.items() if region in seen or not mark[1]}
        if kept != declined:
            self._save_declined(seat, kept)

    def forget_declined(self, state: State) -> None:
        """Forget the marks that were declined after a state to which the game was taken back."""
        over = state.phase in (Phase.COUNTING, Phase.END)
        for seat, side in enumerate(state.seats, start=1):
            declined = self._declined(seat)
            last = state.round if over or side.done else state.round - 1
            kept = {region: mark for region, mark in declined.items() if mark[0] <= last}
            if kept != declined:
                self._save_declined(seat, kept)

    def themes(self, seats: int) -> tuple[str, ...]:
        """Return the seats' themes; see `themes_in`."""
        return themes_in(self._notes, seats)

    def save_theme(self, seat: int, theme: str) -> None:
        """Save the theme in which a seat's sheet was seen."""
        self._note(f"{_THEME} {seat}", theme)

    def _declined(self, seat: int) -> dict[str, tuple[int, Colour]]:
        return dict(map(_declined, self._notes.get(f"{_DECLINED} {seat}", "").split()))

    def _save_declined(self, seat: int, declined: Mapping[str, tuple[int, Colour]]) -> None:
        text = " ".join(f"{region}:{since}:{colour}" for region, (since, colour) in declined.items())
        self._note(f"{_DECLINED} {seat}", text)

    def _note(self, name: str, text: str) -> None:
        self._book.note(self._game_id, name, text)
        self._notes[name] = text


def _declined(text: str) -> tuple[str, tuple[int, Colour]]:
    """Read "r2c1.picture:3:red"; journals of earlier versions say neither round nor colour."""
    region, since, colour = (*text.split(":"), "", "")[:3]
    return region, (int(since or 0), colour)


BAG_NOTE: Final = "bag"
"""The key of the journal's note of a game's bag."""
_VIRTUAL: Final = "virtual "
_REAL: Final = "real"


class VirtualBag(Bag):
    """A bag of the companion's own; see `companion.games.kvilt.Bag`."""


class RealBag:
    """A bag on the table: players draw, and report the pencils drawn."""


AnyBag: TypeAlias = VirtualBag | RealBag


def bag_text(bag: AnyBag) -> str:
    """Return the journal's text for a bag."""
    return _REAL if isinstance(bag, RealBag) else f"{_VIRTUAL}{bag.seed}"


def bag_in(notes: Mapping[str, str]) -> AnyBag:
    """Return the bag in a game's notes.

    Raises:
        CannotResumeError: the notes contain none.
    """
    text = notes.get(BAG_NOTE, "")
    if text == _REAL:
        return RealBag()
    if text.startswith(_VIRTUAL):
        # The seed stays a text: a draw depends on its digits alone, whether it was a number or not.
        return VirtualBag(text.removeprefix(_VIRTUAL))
    raise CannotResumeError.said(
        "the game’s journal does not say which bag is used; start again with {option}", option="--new"
    )


def choice_of(state: State, drawn: Sequence[Colour], bag: AnyBag, *, reporting: bool = False) -> Choice | None:
    """Return the present choice, or None after the end of the game.

    Args:
        state: the game.
        drawn: the pencils that were drawn for the pincushions and are not placed yet.
        bag: the source of pencils.
        reporting: whether a player is about to report a draw from a real bag.
    """
    seat = state.turn
    if seat is None:
        return None
    if state.phase is Phase.SCRAPS:
        return _tokens(state, seat)
    if state.phase is Phase.COUNTING:
        return _rows(state, seat)
    if state.phase is Phase.COLOURING:
        return _colouring(state, seat, bag)
    if state.phase is Phase.NEUTRAL or reporting:
        return _drawing(state, seat, drawn)
    return _placing(state, seat, drawn[0]) if drawn else _sharing(state, seat)


def must_draw(state: State) -> bool:
    """Return whether the seat to move can only draw: pencils are shared out, and every pincushion is empty."""
    return state.phase is Phase.PENCILS and not any(cushion.pencils for _, cushion in middle(state))


def taking_back(state: State, seat: int) -> Choice:
    """Return the question to the other players whether a seat may take back a draw, which everybody has seen."""
    options = (
        Option("keep", TakeBack(agreed=False), said("no, it stays")),
        Option("take-back", TakeBack(agreed=True), said("yes, take it back")),
    )
    name = name_of(state, seat)
    says = said("What came out of the bag has been seen. Do the other players let {name} take this back?", name=name)
    return Choice(ChoiceTopic.TAKE_BACK, seat, options, says)


def name_of(state: State, seat: int) -> str:
    """Return a player's name."""
    return state.setup.players[seat - 1]


def middle(state: State) -> list[tuple[int, Cushion]]:
    """Return the pincushions in the middle, with their numbers."""
    return [(number, cushion) for number, cushion in enumerate(state.cushions, start=1) if cushion.owner is None]


def _tokens(state: State, seat: int) -> Choice:
    options = []
    for colour in state.free_tokens:
        says = said("the {colour} scrap", colour=colour_word(colour))
        options.append(Option("token", Take(TakeToken(seat, colour)), says, (colour,)))
    return Choice(ChoiceTopic.TOKEN, seat, tuple(options), said("{name} takes a scrap.", name=name_of(state, seat)))


def _sharing(state: State, seat: int) -> Choice:
    """Return the options of sharing; drawing first, because it is the only one while every pincushion is empty."""
    options = [*_draws(state), *_takes(state, seat)]
    says = said("{name} draws a pencil, or takes a pincushion.", name=name_of(state, seat))
    if not any(isinstance(option.action, Draw) for option in options):
        says = said("{name} takes a pincushion.", name=name_of(state, seat))
    return Choice(ChoiceTopic.SHARE, seat, tuple(options), says)


def _draws(state: State) -> Iterator[Option]:
    if any(len(cushion.pencils) < CUSHION_HOLDS for _, cushion in middle(state)):
        yield Option("draw", Draw(), said("draw a pencil"))


def _takes(state: State, seat: int) -> Iterator[Option]:
    for decision in legal_decisions(state):
        if isinstance(decision, TakeCushion):
            held = state.cushions[decision.cushion - 1].pencils
            says = said("take pincushion {number}: {pencils}", number=decision.cushion, pencils=pencils(held))
            yield Option("take", Take(TakeCushion(seat, decision.cushion)), says, held, (decision.cushion,))


def _placing(state: State, seat: int, colour: Colour) -> Choice:
    options = []
    for number, cushion in middle(state):
        if len(cushion.pencils) < CUSHION_HOLDS:
            says = said("on pincushion {number}, still empty", number=number)
            if cushion.pencils:
                says = said("on pincushion {number}: {pencils}", number=number, pencils=pencils(cushion.pencils))
            options.append(Option("place", Take(PlacePencil(seat, colour, number)), says, cushion.pencils, (number,)))
    says = said("{name} has drawn {colour}: where does it go?", name=name_of(state, seat), colour=colour_word(colour))
    return Choice(ChoiceTopic.PLACE, seat, tuple(options), says, drawn=colour)


def _drawing(state: State, seat: int, drawn: Sequence[Colour]) -> Choice:
    """Return the options for a draw from a real bag: the colours that can be in it."""
    left = dict(state.pencils_in_bag)
    for colour in drawn:
        left[colour] -= 1
    options = [
        Option("drew", ReportDraw(colour), colour_word(colour), (colour,)) for colour in left if left[colour] > 0
    ]
    says = said("{name} draws a pencil from the bag. Which one is it?", name=name_of(state, seat))
    if state.phase is Phase.NEUTRAL:
        says = said("{name} fills the neutral pincushion. Which pencil is drawn?", name=name_of(state, seat))
    return Choice(ChoiceTopic.DRAWN, seat, tuple(options), says)


def _colouring(state: State, seat: int, bag: AnyBag) -> Choice:
    task = state.seat(seat).task
    if task is not None and not isinstance(bag, RealBag):
        if task.kind is TaskKind.SWAP:
            return _swap(state, seat)
        if task.kind is TaskKind.FETCH:
            return _fetch(state, seat)
    options = [Option("done", LookAtSheet(), said("the colouring is finished: look at the sheet"))]
    if not isinstance(bag, RealBag):
        options.append(
            Option(
                "bag", LookAtSheet(wants_bag=True), said("a pencil has to come from the bag: look at the sheet first")
            )
        )
    says = said("{name} colours, then places the sheet under the camera.", name=name_of(state, seat))
    return Choice(ChoiceTopic.SHEET, seat, tuple(options), says)


def decided_colouring(state: State, seat: int, regions: Sequence[str]) -> Choice:
    """Return the choice at a sheet for which a partner has decided: these regions are to be coloured and looked at."""
    name = name_of(state, seat)
    done = Option("done", LookAtSheet(), said("it is coloured: look at the sheet"))
    says = said("Colour {name}’s sheet as decided, then place it under the camera.", name=name)
    return Choice(ChoiceTopic.SHEET, seat, (done,), says, tuple(regions))


def _swap(state: State, seat: int) -> Choice:
    given = dict.fromkeys(it.given for it in legal_decisions(state) if isinstance(it, Swap) and it.seat == seat)
    options = [Option("swap", Exchange(it), said("exchange {pencils}", pencils=pencils(it)), it) for it in given]
    nothing = Option("none", Take(Decline(seat)), said("exchange nothing"))
    return Choice(
        ChoiceTopic.SWAP, seat, (*options, nothing), said("{name} may exchange pencils.", name=name_of(state, seat))
    )


def _fetch(state: State, seat: int) -> Choice:
    options = []
    if any(state.bag):
        options.append(Option("bag", FetchBlind(), said("a blind one from the bag")))
    for colour in dict.fromkeys(state.neutral_pencils):
        says = said("{colour} from the neutral pincushion", colour=colour_word(colour))
        options.append(Option("neutral", Take(Fetch(seat, PencilSource.NEUTRAL, colour)), says, (colour,)))
    options.append(Option("none", Take(Decline(seat)), said("no pencil")))
    says = said("{name} takes a pencil for the finished embroidery.", name=name_of(state, seat))
    return Choice(ChoiceTopic.FETCH, seat, tuple(options), says)


def _rows(state: State, seat: int) -> Choice:
    """Return the options for the rows that count negative, the two lowest first."""
    points = state.score(seat).rows
    best = lowest_rows(points)
    pairs = [it.rows for it in legal_decisions(state) if isinstance(it, Negate)]
    ordered = [best, *(rows for rows in pairs if rows != best)]
    options = [
        Option("rows", Take(Negate(seat, rows)), _two_rows(rows, sum(points[row - 1] for row in rows)), (), rows)
        for rows in ordered
    ]
    says = said("{name} picks two rows that count negative.", name=name_of(state, seat))
    return Choice(ChoiceTopic.ROWS, seat, tuple(options), says)


def _two_rows(rows: tuple[int, int], points: int) -> str:
    return counted(
        "rows {one} and {other}: {count} point", "rows {one} and {other}: {count} points",
        points, one=rows[0], other=rows[1],
    )  # fmt: skip
