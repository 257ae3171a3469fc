"""`companion market`: the circle of patches from one photograph."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from companion.calibrating.configured import read_corners
from companion.cli.options import add_shared, terminal_language
from companion.games.patchwork.components import PATCHES
from companion.languages import ENGLISH, Language, Sentence, listed, reason, render, said
from companion.patchwork.circle.proposal import Proposal
from companion.patchwork.circle.seeing import MarketError, see_market_in_photo
from companion.patchwork.circle.seen import CircleSighting, SeenMarket, draw_market
from companion.patchwork.terminal.circle import confirm, prompt
from companion.terminal.output import put
from companion.terminal.photograph import check_show, load_photo, save_shown


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_shared(parser, "--language")
    parser.description = said(
        "Find the patches around the time board, name them, and list them clockwise from the neutral token. "
        "The boards show how large a patch looks: they are found by the markers of the mats, or by the corners "
        "in a file, or on their own."
    )
    parser.add_argument("image", type=Path, metavar="IMAGE", help=said("the photograph"))
    parser.add_argument("--corners", type=Path, metavar="FILE", help=said("a TOML file with both grids’ outer corners"))
    parser.add_argument("--show", type=Path, metavar="FILE", help=said("write the picture with the result drawn in"))
    parser.add_argument("--confirm", action="store_true", help=said("ask in the terminal about anything doubtful"))
    parser.add_argument("--json", action="store_true", help=said("print one JSON object"))
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read the photograph and print the circle."""
    check_show(args.show, args.image)
    corners = None if args.corners is None else read_corners(args.corners)
    image = load_photo(args.image)
    try:
        market = see_market_in_photo(image, corners)
    except MarketError as error:
        raise MarketError.said("{path}: {fault}", path=str(args.image), fault=reason(error)) from error
    if args.show is not None:
        save_shown(args.show, draw_market(image, market))
    language = terminal_language(args)
    proposal = _confirmed(market, language, as_json=args.json) if args.confirm else None
    if args.json:
        printed = market.to_json() if proposal is None else proposal.to_json()
        put(json.dumps(printed, ensure_ascii=False) + "\n")
    else:
        put(market_text(market, language) if proposal is None else circle_text(proposal, language))
    return 0


def _confirmed(market: SeenMarket, language: Language, *, as_json: bool) -> Proposal:
    """Return the circle as confirmed or corrected by the user at the terminal."""
    if not as_json:
        put(market_text(market, language))
    # Questions go to standard error, as standard output may be piped as JSON.
    return confirm(Proposal(market), prompt, sys.stderr, language)


def circle_text(proposal: Proposal, language: Language = ENGLISH) -> str:
    """Return the confirmed circle, with the line for the configuration, or what is missing from it."""
    market = proposal.market()
    if market is None:
        unknown = [str(place.number) for place in proposal.doubtful]
        says: list[str] = [said("Not confirmed: {places}.", places=listed(unknown))] if unknown else []
        wanting = [proposal.wanting()] if proposal.missing else []
        return "\n".join([*(render(line, language) for line in (*says, *wanting)), ""])
    rows = [f"{place:>3}  {patch}" for place, patch in enumerate(market, start=1)]
    heading = render(said("For the configuration:"), language)
    return "\n".join(["", *rows, "", heading, "[patchwork]", f"market = {json.dumps(market)}", ""])


def market_text(market: SeenMarket, language: Language = ENGLISH) -> str:
    """Return the circle as text: one line per piece, in order, then the missing patches and the remedies."""
    unsure = {doubt.place: doubt.candidates for doubt in market.doubtful}
    rows = [
        f"{place:>3}  {render(_line(piece, unsure.get(place)), language)}"
        for place, piece in enumerate(market.pieces, start=1)
    ]
    below = [*market.notes]
    if market.pieces and market.missing:
        below.insert(0, said("Not seen: {patches}.", patches=listed(market.missing)))
    doubts = len(market.doubtful)
    if doubts:
        below.insert(0, _doubts(doubts, len(market.pieces)))
    elif market.complete:
        below.insert(0, said("All {count} patches are seen.", count=len(PATCHES)))
    remarks = [render(line, language) for line in below]
    return "\n".join([*rows, "", *remarks, ""] if rows else [*remarks, ""])


def _doubts(count: int, pieces: int) -> Sentence:
    return said("Please check the {count} of {all} pieces that have a question mark.", count=count, all=pieces)


def _line(piece: CircleSighting, candidates: Sequence[str] | None) -> str:
    if piece.patch is None:
        return said("?  a piece that matches no shape") if piece.whole else said("?  partly out of the picture")
    if candidates is None:
        return piece.patch
    others = [patch for patch in candidates if patch != piece.patch]
    if not others:
        return f"{piece.patch}?"
    return said("{patch}  or {others}", patch=f"{piece.patch}?", others=listed(others))
