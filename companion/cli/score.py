"""`companion score`: the final score from one photograph; `--game kvilt` scores coloured sheets."""

from __future__ import annotations

import argparse
import json
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.cli.kviltscore import drawn, score_sheets
from companion.cli.options import config_of, config_option, language_of, language_option
from companion.cli.output import put
from companion.cli.scoresheet import sums
from companion.cli.shown import check_show, save_shown
from companion.cli.wording import text_width, words
from companion.corners import read_grids
from companion.errors import CompanionError
from companion.games.patchwork import SIDE, cell_index
from companion.languages import ENGLISH, Language, Sentence, counted, listed, reason, said, tell
from companion.scoring.drawing import draw_score
from companion.scoring.finding import PhotoError
from companion.scoring.naming import LEATHER_NAME
from companion.scoring.photo import load_photo, read_photo
from companion.scoring.sheet import BONUS, EMPTY_COST, PhotoScore, SeatScore, count_score

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.cli.subparsers import Subparsers
    from companion.corners import Quad
    from companion.scoring.photo import SeenQuilt

_COLUMN: Final = 34
_MOST_BUTTONS: Final = 999
_SEATS: Final = 2


def add_parser(subparsers: Subparsers, summary: Sentence) -> None:
    """Announce the command, which `summary` tells of in the list of commands."""
    parser = subparsers.add_parser(
        "score",
        parents=[config_option(), language_option()],
        help=summary,
        description=said(
            "Read both quilts, or one, from one photograph and count the score. The boards are found by the corners in "
            "a file, by the mats' markers, or by themselves. With {option}, read coloured sheets of Kvilt, one on each "
            "photograph; they are found by their markers.",
            option="--game kvilt",
        ),
    )
    parser.add_argument(
        "images", nargs="+", type=Path, metavar="IMAGE", help=said("the photograph; of Kvilt, any number")
    )
    parser.add_argument(
        "--game",
        choices=("patchwork", "kvilt"),
        default="patchwork",
        help=said("{game}, unless told", game="patchwork"),
    )
    parser.add_argument(
        "--sheet", type=Path, metavar="FILE", help=said("Kvilt: the sheet's TOML file, for one of your own")
    )
    parser.add_argument(
        "--corners", type=Path, metavar="FILE", help=said("a TOML file with the outer corners of both grids, or of one")
    )
    parser.add_argument(
        "--buttons", metavar="N,N", help=said("buttons in hand: seat {first}'s, seat {last}'s", first=1, last=2)
    )
    parser.add_argument(
        "--bonus",
        metavar="SEAT",
        help=said("who has the 7x7 tile: {first} or {last}; {none} where nobody has", first=1, last=2, none=0),
    )
    parser.add_argument("--show", type=Path, metavar="FILE", help=said("write the picture with what was read drawn in"))
    parser.add_argument("--json", action="store_true", help=said("print one JSON object a photograph, on one line"))
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read the photograph and print the score."""
    _check_options(args)
    check_show(args.show, args.images[0])
    return _run_kvilt(args) if args.game == "kvilt" else _run_patchwork(args)


def _check_options(args: argparse.Namespace) -> None:
    """Options of the other game would be passed over without a word."""
    foreign = ("corners", "buttons", "bonus") if args.game == "kvilt" else ("sheet",)
    for name in foreign:
        if getattr(args, name) is not None:
            raise CompanionError(
                said(
                    "{option} does not go with {other}: leave it away", option=f"--{name}", other=f"--game {args.game}"
                )
            )
    if len(args.images) > 1 and (args.game == "patchwork" or args.show is not None):
        what = "--show" if args.game == "kvilt" else "Patchwork"
        raise CompanionError(
            said("{what} takes one photograph at a time, not {count}", what=what, count=len(args.images))
        )


def _run_kvilt(args: argparse.Namespace) -> int:
    status, read = score_sheets(args.images, args.sheet, language_of(args, config_of(args)), as_json=args.json)
    picture = drawn(read) if args.show is not None else None
    if picture is not None:
        save_shown(args.show, picture)
    return status


def _run_patchwork(args: argparse.Namespace) -> int:
    (path,) = args.images
    buttons, bonus = _buttons(args.buttons), _bonus(args.bonus)
    corners = None if args.corners is None else read_grids(args.corners)
    image = load_photo(path)
    quilts = _read(path, image, corners)
    score = count_score(quilts, _of_seats(buttons, quilts), bonus)
    if args.show is not None:
        save_shown(args.show, draw_score(image, score))
    language = language_of(args, config_of(args))
    put(json.dumps(score.to_json(), ensure_ascii=False) + "\n" if args.json else score_text(score, language))
    return 0


def _read(path: Path, image: NDArray[np.uint8], corners: tuple[Quad, ...] | None) -> tuple[SeenQuilt, ...]:
    try:
        return read_photo(image, corners)
    except PhotoError as error:
        raise PhotoError(said("{path}: {fault}", path=str(path), fault=reason(error))) from error


def _of_seats(buttons: tuple[int, ...] | None, quilts: tuple[SeenQuilt, ...]) -> tuple[int, ...] | None:
    """The buttons of the quilts that are seen; one number is enough for one quilt.

    Raises:
        CompanionError: two quilts are seen, and one number was given.
    """
    if buttons is None or len(buttons) == len(quilts):
        return buttons
    if len(quilts) == 1:
        return (buttons[quilts[0].seat - 1],)
    raise _needs_numbers(",".join(map(str, buttons)))


def _needs_numbers(text: str) -> CompanionError:
    return CompanionError(
        said(
            "{option}: give two whole numbers, seat {first}'s and seat {last}'s, such as {example}",
            option=f"--buttons {text}",
            first=1,
            last=2,
            example="14,18",
        )
    )


def _buttons(text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",")]
    if len(parts) > _SEATS or not all(part.isascii() and part.isdigit() for part in parts):
        raise _needs_numbers(text)
    counts = tuple(int(part) if len(part) <= len(str(_MOST_BUTTONS)) else _MOST_BUTTONS + 1 for part in parts)
    if max(counts) > _MOST_BUTTONS:
        raise CompanionError(
            said("{option}: nobody has more than {count} buttons", option=f"--buttons {text}", count=_MOST_BUTTONS)
        )
    return counts


def _bonus(text: str | None) -> int | None:
    if text is None:
        return None
    if text not in ("0", "1", "2"):
        raise CompanionError(
            said(
                "{option}: give the seat that has the 7x7 tile, {first} or {last}, or {none} where nobody has",
                option=f"--bonus {text}",
                first=1,
                last=2,
                none=0,
            )
        )
    return int(text)


def score_text(score: PhotoScore, language: Language = ENGLISH) -> str:
    """The score sheet for people: the quilts side by side, what they are worth, what to check."""
    blocks = [_block(seat, language) for seat in score.seats]
    rows = [
        "".join(line + " " * (_COLUMN - text_width(line)) for line in lines)
        for lines in zip_longest(*blocks, fillvalue="")
    ]
    below = [tell(says, language) for says in (*_doubts(score), *score.notes)]
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
        *(f"{number}  {row}" for number, row in enumerate(rows, start=1)),
        "",
        *sums(
            language,
            (said("buttons in hand"), seat.buttons),
            (said("7x7 tile"), BONUS if seat.bonus else 0),
            (counted("{count} empty cell", "{count} empty cells", quilt.empty), -EMPTY_COST * quilt.empty),
            (said("score"), seat.score),
        ),
        "",
        words(_income(quilt), language),
    ]


def _income(quilt: SeenQuilt) -> Sentence:
    """What the patches bring, and how many of them were made out."""
    count = sum(piece.patch != LEATHER_NAME for piece in quilt.pieces)
    return counted(
        "income {income} from {count} patch", "income {income} from {count} patches", count, income=quilt.income
    )


def _mark(letter: str, doubtful: bool) -> str:
    if doubtful:
        return "█?" if letter == "X" else "·?"
    return "██" if letter == "X" else "· "


def _doubts(score: PhotoScore) -> list[Sentence]:
    """What somebody should look at; the sum of two for each cell is what is at stake."""
    return [
        said("Please check on seat {seat}'s quilt: {cells}.", seat=seat.quilt.seat, cells=listed(seat.quilt.doubtful))
        for seat in score.seats
        if seat.quilt.doubtful
    ]
