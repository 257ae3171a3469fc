"""The layout of the live view: all that is known of the game in one picture, for the size of the terminal."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Final

from rich import box
from rich.align import Align
from rich.console import Console, Group, RenderableType
from rich.constrain import Constrain
from rich.layout import Layout
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from calibration.identity import SIGNS
from companion.games.patchwork import PATCHES, TIME_TRACKS, State, affordable, offers, score
from companion.languages import ENGLISH, Language, Sentence, any_of, counted, listed, reason, render, said
from companion.patchwork.circle.desk import CircleDesk
from companion.patchwork.circle.order import UnclearStretch
from companion.patchwork.circle.proposal import WAY_LETTERS, AnswerError, CirclePlace, Proposal, parse_answer
from companion.patchwork.naming import patch_names
from companion.patchwork.terminal.pictures import (
    SEAT_STYLES,
    offer_picture,
    patch_height,
    patch_picture,
    quilt_picture,
    seat_line,
    seat_lines,
    track_legend,
    track_picture,
)
from companion.terminal.strip import strip_picture
from companion.terminal.styling import DIM, styled
from companion.terminal.wording import words
from hardware.ports import RGB

HELP: Final = said(
    "Say {is_patch} for what lies in place {place}, {is_right} if it is as shown, {is_none} if it is no patch, "
    "{behind} for a patch that lies behind it, {way} if the patches from there on follow one another in way b; "
    "{all_right} if all is right. An empty line ends.",
    is_patch='"7 tee"',
    place=7,
    is_right='"7 ok"',
    is_none='"7 none"',
    behind='"7+ tee"',
    way='"7 b"',
    all_right='"ok"',
)
_MOST_SHOWN: Final = 4


def confirm(proposal: Proposal, ask: Callable[[str], str], out: IO[str], language: Language = ENGLISH) -> Proposal:
    """Let the user confirm or correct the seen circle, until it is settled or they end the confirmation.

    Args:
        proposal: the circle as it was seen.
        ask: shows a prompt and returns the typed line; raises EOFError after the last.
        out: where the places are written.
        language: the user's.
    """
    _put(out, render(HELP, language))
    while not proposal.settled:
        _show(proposal, out, language)
        try:
            line = ask("> ")
        except EOFError:
            break
        if not line.strip():
            break
        try:
            proposal = proposal.after(parse_answer(line))
        except AnswerError as error:
            _put(out, render(reason(error), language))
    return proposal


def prompt(says: str) -> str:
    """Ask on standard error, because standard output may be read by a program; raise EOFError at the end of input."""
    sys.stderr.write(says)
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line


def place_line(place: CirclePlace, language: Language = ENGLISH) -> str:
    """Return a line with a place and its candidates."""
    likely = [patch for patch in place.candidates if patch != place.patch][: _MOST_SHOWN - 1]
    named = [] if place.patch is None else [place.patch]
    priced = [_priced(patch) for patch in (*named, *likely)]
    says = any_of(priced) if priced else said("what lies there?")
    return f"{place.number:>3}  {words(says, language)}"


def way_lines(stretch: UnclearStretch, proposal: Proposal, language: Language = ENGLISH) -> list[str]:
    """Return a line for each possible order of a stretch's patches, clockwise."""
    places = proposal.places
    names = [[places[number - 1].patch or "?" for number in way] for way in stretch.ways]
    ways = zip(WAY_LETTERS, names, strict=False)
    return [f"{stretch.places[0]:>3} {letter}  {words(in_line(way), language)}" for letter, way in ways]


def in_line(names: Sequence[str]) -> Sentence:
    """Return the phrase for patches that follow one another clockwise."""
    return said("{patches}, clockwise", patches=" → ".join(names))


def _is_named(place: CirclePlace, proposal: Proposal) -> bool:
    return place.patch is not None and proposal.seen.pieces[place.number - 1].sure


def _show(proposal: Proposal, out: IO[str], language: Language) -> None:
    unclear = {place for stretch in proposal.unclear for place in stretch.places}
    for stretch in proposal.unclear:
        for line in way_lines(stretch, proposal, language):
            _put(out, line)
    # Named patches of an unclear stretch are settled by its order alone.
    places = [place for place in proposal.doubtful if place.number not in unclear or not _is_named(place, proposal)]
    if out.isatty() and places:
        Console(file=out).print(_picture(places[0], language))
    for place in places:
        _put(out, place_line(place, language))
    if proposal.missing:
        _put(out, render(proposal.wanting(), language))


def _picture(place: CirclePlace, language: Language) -> RenderableType:
    """Return a drawing of a place's candidates."""
    named: Sequence[str] = () if place.patch is None else (place.patch,)
    shown = list(dict.fromkeys((*named, *place.candidates)))[:_MOST_SHOWN]
    grid = Table.grid(padding=(0, 3, 0, 0))
    tall = max((patch_height(patch) for patch in shown), default=0)
    grid.add_row(*(Text.assemble(patch_picture(patch, tall), words(_priced(patch), language)) for patch in shown))
    return grid


def _priced(patch: str) -> Sentence:
    values = PATCHES[patch]
    return counted(
        "{patch} ({count} button, {time} time)",
        "{patch} ({count} buttons, {time} time)",
        values.buttons,
        patch=patch,
        time=values.time,
    )


def _put(out: IO[str], text: str) -> None:
    out.write(text + "\n")
    out.flush()


_FRAME = "#6c6c6c"
_ROOMY_HEIGHT = 30
_WIDE_WIDTH = 92
_QUILT_WIDTH = 24
_BLOCK_WIDTH = 28


@dataclass(frozen=True, slots=True)
class NewsLine:
    """A sentence in the reader's language, and its style."""

    says: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class ScreenContent:
    """The contents of the live view.

    Attributes:
        title: the game's title.
        state: the game.
        patches: for seat 1 and seat 2 the patch in each covered cell, by the cell's bit number, if known.
        latest: the last sentences, the newest last.
        pixels: the pixels of the light strip; empty if there is none.
        activity: the companion's activity, in a word or two.
        page: the address of the page; empty if there is none.
        language: the user's.
        circle: a sentence on the camera's look at the circle; None if there is nothing to report.
        styles: the colours of seat 1 and seat 2.
        wrong_markers: by seat, the wrong space of the time board on which its marker stands.
    """

    title: str
    state: State
    patches: tuple[Mapping[int, str], Mapping[int, str]]
    latest: Sequence[NewsLine]
    pixels: Sequence[RGB]
    activity: str = ""
    page: str = ""
    language: Language = ENGLISH
    circle: Sentence | None = None
    styles: Sequence[str] = SEAT_STYLES
    wrong_markers: Mapping[int, int] = field(default_factory=dict)

    def words(self, text: str) -> str:
        """Return a text in the language, for display next to others."""
        return words(text, self.language)


def screen(content: ScreenContent, width: int, height: int) -> RenderableType:
    """Return the whole picture for a terminal of `width` columns and `height` rows."""
    roomy = height >= _ROOMY_HEIGHT
    layout = Layout()
    parts = [
        Layout(_track(content, width), size=5),
        Layout(_table(content, width, roomy=roomy), size=15 if roomy else 13),
        Layout(_strip(content, width, roomy=roomy), size=_strip_height(content, width, roomy=roomy)),
        Layout(_latest_lines(content)),
    ]
    layout.split_column(*([Layout(_title(content), size=1)] if roomy else []), *parts)
    return layout


def _title(content: ScreenContent) -> Table:
    line = Table.grid(expand=True)
    line.add_column()
    line.add_column(justify="right")
    page = Text(f"  {content.page}", style=DIM, no_wrap=True, overflow="ellipsis")
    line.add_row(Text(" Quilt Companion", style="bold") + page, Text(f"{content.words(content.title)} ", style=DIM))
    return line


def _track(content: ScreenContent, width: int) -> Panel:
    line = Table.grid(padding=(0, 3 if width >= _WIDE_WIDTH else 1))
    line.add_column(no_wrap=True)
    line.add_column(no_wrap=True)
    line.add_row(
        track_picture(content.state, content.styles, content.wrong_markers),
        track_legend(content.state, content.language, content.styles),
    )
    title = content.words(said("Time track"))
    return Panel(Align.center(line), title=title, title_align="left", border_style=_FRAME, box=box.ROUNDED)


def _table(content: ScreenContent, width: int, *, roomy: bool) -> Layout:
    """Draw both quilts with the offers between them."""
    layout = Layout()
    layout.split_row(
        Layout(_quilt(content, 1, roomy=roomy), size=_QUILT_WIDTH),
        Layout(_middle(content, roomy=roomy, wide=width >= _WIDE_WIDTH)),
        Layout(_quilt(content, 2, roomy=roomy), size=_QUILT_WIDTH),
    )
    return layout


def _quilt(content: ScreenContent, number: int, *, roomy: bool) -> Panel:
    state, seat = content.state, content.state.seat(number)
    moves = state.turn == number
    who = f"{SIGNS[number - 1]} {state.setup.players[number - 1]}"
    title = Text(f" {'▶ ' if moves else ''}{who} ", style=f"bold {content.styles[number - 1]}")
    title.truncate(_QUILT_WIDTH - 6, overflow="ellipsis")
    return Panel(
        Group(
            Align.center(quilt_picture(seat.quilt, content.patches[number - 1], content.language)),
            seat_lines(seat, content.language) if roomy else seat_line(seat, content.language),
        ),
        title=title,
        border_style=content.styles[number - 1] if moves else _FRAME,
        box=box.HEAVY if moves else box.ROUNDED,
        padding=0,
    )


def _middle(content: ScreenContent, *, roomy: bool, wide: bool) -> Panel:
    state, on_offer = content.state, content.words(said("On offer"))
    if state.turn is None:
        return _panel(_result(content), content.words(said("Final score")), centred=True)
    if state.leather_due:
        line = said("{name} sews a leather patch on any empty square.", name=state.setup.players[state.turn - 1])
        return _panel(_block(content, line), content.words(said("Leather")), centred=True)
    if state.market is None:
        return _panel(_unknown_circle(content, wide=wide), on_offer, centred=True)
    return _panel(_offers(content, roomy=roomy, wide=wide), on_offer, centred=False, margin=2 if wide else 0)


def _unknown_circle(content: ScreenContent, *, wide: bool) -> Group:
    """Return the choices while the circle is unknown, and why it is unknown."""
    left = counted("The {count} patch left.", "Any of the {count} patches left.", len(content.state.box))
    why = said("The companion does not know the circle.") if content.circle is None else content.circle
    blocks = [Align.center(_block(content, each)) for each in (left, why)]
    return Group(Align.center(_choice(content, wide=wide)), Text(), *blocks)


def circle_news(desk: CircleDesk) -> Sentence | None:
    """Return a sentence on the camera's look at the circle, or None if there is none, or nothing is in doubt."""
    if desk.share is not None:
        return said("Looking at the circle: {share} %.", share=round(100 * desk.share))
    laid = desk.laid
    if laid is None or laid.known or not (places := laid.proposal.doubtful):
        return None
    return counted(
        "The circle is seen; {count} place in it is still uncertain.",
        "The circle is seen; {count} places in it are still uncertain.",
        len(places),
    )


def _block(content: ScreenContent, line: Sentence) -> RenderableType:
    """Return a sentence in a narrow column, with lines of similar length."""
    return Constrain(Text(content.words(line), justify="center"), _BLOCK_WIDTH)


def _panel(content: RenderableType, title: str, *, centred: bool, margin: int = 0) -> Panel:
    content = Align.center(content, vertical="middle") if centred else content
    return Panel(content, title=title, title_align="left", border_style=_FRAME, box=box.ROUNDED, padding=(0, margin))


def _offers(content: ScreenContent, *, roomy: bool, wide: bool) -> Group:
    state = content.state
    on_offer, payable = offers(state), affordable(state)
    height = max(map(patch_height, on_offer), default=0)
    line = Table.grid(expand=True)
    for _ in on_offer:
        line.add_column(ratio=1, no_wrap=True)
    pictures = (
        offer_picture(patch, height, affordable=patch in payable, language=content.language) for patch in on_offer
    )
    line.add_row(*pictures)
    waiting = (state.market or ())[len(on_offer) :]
    if not roomy:
        return Group(_choice(content, wide=wide), line)
    named = listed(patch_names(waiting)) if waiting else ""
    following = said("then {patches}", patches=named) if waiting else said("then the circle is empty")
    return Group(_choice(content, wide=wide), Text(), line, styled(following, content.language, "bold " + DIM, DIM))


def _choice(content: ScreenContent, *, wide: bool) -> Text:
    """Draw the options of the player to move."""
    state = content.state
    seat = state.mover
    last_space = TIME_TRACKS[state.setup.edition].last_space
    steps = min(state.seat(3 - seat).time + 1, last_space) - state.seat(seat).time
    name = state.setup.players[seat - 1]
    if wide:
        may = counted(
            "{name}: buy, or advance for {count} button",
            "{name}: buy, or advance for {count} buttons",
            steps,
            name=name,
        )
    else:
        may = said("{name}: buy, or advance for {count}", name=name, count=steps)
    line = styled(may, content.language, styles={"name": f"bold {content.styles[seat - 1]}"})
    line.no_wrap, line.overflow = True, "ellipsis"
    return line


def _result(content: ScreenContent) -> Table:
    state, number = content.state, content.language.number
    table = Table(box=None, padding=(0, 1), show_header=False)
    table.add_column()
    for _ in (1, 2):
        table.add_column(justify="right")
    names = [Text(name, style=f"bold {content.styles[index]}") for index, name in enumerate(state.setup.players)]
    table.add_row("", *names)
    table.add_row(content.words(said("buttons")), *(number(seat.buttons) for seat in state.seats))
    table.add_row(content.words(said("7x7 tile")), *(number(7) if seat.bonus else "-" for seat in state.seats))
    table.add_row(content.words(said("empty")), *(number(-2 * seat.empty) for seat in state.seats))
    table.add_row("", "", "")
    scores = (Text(number(score(seat)), style="bold") for seat in state.seats)
    table.add_row(Text(content.words(said("score")), style="bold"), *scores)
    wins = content.words(said("wins"))
    table.add_row("", *(Text(wins if state.winner == seat else "", style="bold #87d787") for seat in (1, 2)))
    return table


def _strip_height(content: ScreenContent, width: int, *, roomy: bool) -> int:
    if not content.pixels:
        return 1
    return -(-len(content.pixels) // (width - 4)) + (2 if roomy else 0)


def _strip(content: ScreenContent, width: int, *, roomy: bool) -> RenderableType:
    if not content.pixels:
        return Text()
    picture = Align.center(strip_picture(content.pixels, width - 4))
    if not roomy:
        return picture
    return Panel(picture, title=content.words(said("Strip")), title_align="left", border_style=_FRAME, box=box.ROUNDED)


def _latest_lines(content: ScreenContent) -> Panel:
    """Draw the news, the newest sentence at the top, so that it is never cut off."""
    lines = []
    for age, latest in enumerate(reversed(content.latest)):
        line = Text(no_wrap=age > 0, overflow="ellipsis")
        line.append("› " if age == 0 else "  ", style="bold")
        line.append(
            latest.says, style=latest.style if latest.style or age == 0 else "#9e9e9e" if age < 4 else "#6c6c6c"
        )
        lines.append(line)
    if not lines and content.page:
        lines.append(Text(content.words(said("Page: {address}", address=content.page))))
    title = content.words(said("News")) + (f" · {content.words(content.activity)}" if content.activity else "")
    return Panel(Group(*lines), title=title, title_align="left", border_style=_FRAME, box=box.ROUNDED)
