"""The final score from one photograph, as printed by `companion score`."""

import argparse
import json
import sys
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from companion.calibrating.configured import read_grids
from companion.config import Config
from companion.errors import CompanionError
from companion.games.patchwork.cells import SIDE, cell_index
from companion.languages import ENGLISH, Language, Sentence, counted, listed, reason, render, said
from companion.patchwork.photograph.drawing import draw_score
from companion.patchwork.photograph.photo import PhotoError, SeenQuilt
from companion.patchwork.photograph.reading import LEATHER_NAME
from companion.patchwork.photograph.sheet import (
    BONUS,
    EMPTY_COST,
    FinishedReading,
    PhotoScore,
    SeatScore,
    count_score,
    read_finished,
)
from companion.patchwork.terminal.score_sheet import sums
from companion.pictures import most_read_px, reduced
from companion.terminal.output import put, text_width, words
from companion.terminal.photograph import load_photo, save_shown

_COLUMN: Final = 34
_MOST_BUTTONS: Final = 999
_SEATS: Final = 2


def score(args: argparse.Namespace, config: Config, language: Language) -> int:
    """Read the photograph, print the score, and return the exit status.

    Raises:
        CompanionError: more than one photograph was given, or it cannot be read.
    """
    del config  # Scores are the same in every game.
    if len(args.images) > 1:
        raise CompanionError.said(
            "{what} reads one photograph at a time, not {count}", what="Patchwork", count=len(args.images)
        )
    (path,) = args.images
    buttons, bonus = _buttons(args.buttons), _bonus(args.bonus)
    corners = None if args.corners is None else read_grids(args.corners)
    image, divisor = reduced(load_photo(path), most_read_px())
    if corners is not None:
        corners = tuple(quad / divisor for quad in corners)
    try:
        read = read_finished(image, corners, counts_buttons=buttons is None, seeks_tile=bonus is None)
    except PhotoError as error:
        raise PhotoError.said("{path}: {fault}", path=str(path), fault=reason(error)) from error
    if read.is_bare:
        raise PhotoError.said(
            "{path}: no patch lies on the quilts; a photograph of a finished game is needed", path=str(path)
        )
    buttons = _of_seats(buttons, read.quilts)
    if buttons is None and not args.json and sys.stdin.isatty() and sys.stdout.isatty():
        buttons = _asked(read, language)
    counted_up = count_score(read.quilts, buttons, bonus, read.hands, read.tile)
    counted_up = replace(counted_up, notes=(*read.hints, *counted_up.notes))
    if args.show is not None:
        save_shown(args.show, draw_score(image, counted_up))
    put(json.dumps(counted_up.to_json(), ensure_ascii=False) + "\n" if args.json else score_text(counted_up, language))
    return 0


def _asked(read: FinishedReading, language: Language) -> tuple[int, ...] | None:
    """Ask for the buttons that are not surely in the picture; return those of all seats, or None if one is left out."""
    counts = []
    for quilt in read.quilts:
        hand = read.hands.get(quilt.seat)
        count = hand.value if hand is not None and hand.sure else None
        while count is None:
            put(words(said("Seat {seat}’s buttons in hand (Enter if unknown):", seat=quilt.seat), language) + " ")
            answer = sys.stdin.readline().strip()
            if not answer:
                return None
            if answer.isascii() and answer.isdigit() and int(answer[:4]) <= _MOST_BUTTONS:
                count = int(answer[:4])
        counts.append(count)
    return tuple(counts)


def _of_seats(buttons: tuple[int, ...] | None, quilts: tuple[SeenQuilt, ...]) -> tuple[int, ...] | None:
    """Return the buttons for the quilts seen, or None; one number is enough for one quilt.

    Raises:
        CompanionError: two quilts are seen, and one number was given.
    """
    if buttons is None or len(buttons) == len(quilts):
        return buttons
    if len(quilts) == 1:
        return (buttons[quilts[0].seat - 1],)
    raise _needs_numbers(",".join(map(str, buttons)))


def _needs_numbers(text: str) -> CompanionError:
    return CompanionError.said(
        "{option}: give two whole numbers, seat {first}’s and seat {last}’s, such as {example}",
        option=f"--buttons {text}",
        first=1,
        last=2,
        example="14,18",
    )


def _buttons(text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",")]
    if len(parts) > _SEATS or not all(part.isascii() and part.isdigit() for part in parts):
        raise _needs_numbers(text)
    # `int` refuses thousands of digits with an error of its own.
    counts = tuple(int(part) if len(part) <= len(str(_MOST_BUTTONS)) else _MOST_BUTTONS + 1 for part in parts)
    if max(counts) > _MOST_BUTTONS:
        raise CompanionError.said(
            "{option}: nobody has more than {count} buttons", option=f"--buttons {text}", count=_MOST_BUTTONS
        )
    return counts


def _bonus(text: str | None) -> int | None:
    if text is None:
        return None
    if text not in ("0", "1", "2"):
        raise CompanionError.said(
            "{option}: give the seat that has the 7x7 tile, {first} or {last}, or {none} if nobody has it",
            option=f"--bonus {text}",
            first=1,
            last=2,
            none=0,
        )
    return int(text)


def score_text(score: PhotoScore, language: Language = ENGLISH) -> str:
    """Return the score sheet as text: the quilts side by side, their scores, and the cells to check."""
    blocks = [_block(seat, language) for seat in score.seats]
    rows = [
        "".join(line + " " * (_COLUMN - text_width(line)) for line in lines)
        for lines in zip_longest(*blocks, fillvalue="")
    ]
    below = [render(says, language) for says in (*_doubts(score), *score.notes, *_winner(score))]
    return "\n".join([*(row.rstrip() for row in rows), "", *below, *([""] if below else []), ""])


def _block(seat: SeatScore, language: Language) -> list[str]:
    quilt = seat.quilt
    marks = {divmod(cell_index(name), SIDE) for name in quilt.doubtful}
    rows = [
        "".join(_mark(letter, (row, column) in marks) for column, letter in enumerate(cells)).rstrip()
        for row, cells in enumerate(quilt.rows)
    ]
    return [
        words(said("Seat {seat}", seat=quilt.seat), language),
        "",
        "   " + " ".join("ABCDEFGHI"),
        *(f"{language.number(number)}  {row}" for number, row in enumerate(rows, start=1)),
        "",
        *sums(
            language,
            (said("buttons in hand"), seat.buttons),
            (said("7x7 tile"), BONUS if seat.bonus else 0),
            (counted("{count} empty square", "{count} empty squares", quilt.empty), -EMPTY_COST * quilt.empty),
            (said("score"), seat.score),
            lacking=said("buttons") if seat.buttons is None else "",
        ),
        "",
        words(_income(quilt), language),
    ]


def _income(quilt: SeenQuilt) -> Sentence:
    """Return the sentence on the patches' income, and how many of them were recognised."""
    count = sum(piece.patch != LEATHER_NAME for piece in quilt.pieces)
    if not quilt.is_income_sure:
        return counted(
            "income perhaps {income} from {count} patch",
            "income perhaps {income} from {count} patches",
            count,
            income=quilt.income,
        )
    return counted(
        "income {income} from {count} patch", "income {income} from {count} patches", count, income=quilt.income
    )


def _mark(letter: str, doubtful: bool) -> str:
    if doubtful:
        return "█?" if letter == "X" else "·?"
    return "██" if letter == "X" else "· "


def _winner(score: PhotoScore) -> list[Sentence]:
    """Return the sentence on who wins, or is ahead while cells are doubtful, if that is known."""
    standing = score.standing
    if standing is None:
        return []
    if not standing.seat:
        return [said("A tie: who was first on the last space of the time board wins.")] if standing.sure else []
    won, lost = sorted((seat.score for seat in score.seats), reverse=True)
    names = {"seat": standing.seat, "won": won, "lost": lost}
    if standing.sure:
        return [said("Seat {seat} wins, {won} to {lost}.", **names)]
    return [said("Seat {seat} is ahead, {won} to {lost}; the squares to check may change that.", **names)]


def _doubts(score: PhotoScore) -> list[Sentence]:
    """Return the sentences on doubtful cells, each worth two points; where all are, a note says to check them."""
    return [
        said("Please check on seat {seat}’s quilt: {cells}.", seat=seat.quilt.seat, cells=listed(seat.quilt.doubtful))
        for seat in score.seats
        if 0 < len(seat.quilt.doubtful) < SIDE * SIDE
    ]
