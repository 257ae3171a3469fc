"""The checks of the journal: its integrity, and what resuming the open game needs."""

import os
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final

from companion.durable import database_damage
from companion.journal import JOURNAL_NAME, GameFilter, GameSummary, Journal, JournalError, Status
from companion.journal.logs import LOGS_NAME
from companion.languages import counted, halves, reason, said
from companion.ownership import as_owner_of
from companion.record import Games
from companion.upkeep.backup.manifest import ASIDE_NAME, HALL_DATABASE, HALL_NAME
from hardware.diagnosis import Finding, fault, note, ok

_ABOUT: Final = said("journal")


def check_journal(folder: Path, codecs: Games, profiled: Collection[str]) -> Iterator[Finding]:
    """Yield the findings on the journal in a data folder.

    Every log and the index are checked, and every game of a known kind is replayed.

    Args:
        folder: the data folder.
        codecs: the codecs of the games that the journal may contain.
        profiled: the names of the games that need a file with the look of their empty boards to be resumed.
    """
    path = folder / JOURNAL_NAME
    yield from _set_aside(folder)
    yield from _foreign(folder)
    try:
        with Journal(path, codecs, read_only=True) as journal:
            missing = tuple(journal.findings)
            games = journal.check()
            by_change = journal.find(GameFilter(status=Status.UNFINISHED, decided=True, by_change=True))
            findings = journal.findings[len(missing) :]
    except JournalError as error:
        what, do = halves(reason(error))
        says = said("Games cannot be stored, or cannot be resumed.")
        yield fault(_ABOUT, said("{fault}.", fault=what), says, do or said("See above."))
        return
    for each in missing:
        says = said("It is skipped; no other game is affected.")
        yield note(_ABOUT, said("{fault}.", fault=each), says, "companion restore")
    for finding in findings:
        what, do = halves(finding)
        yield note(_ABOUT, said("{fault}.", fault=what), said("Nothing is lost: the games are in their logs."), do)
    if not games:
        yield ok(_ABOUT, said("There is no journal yet; the first game starts one."))
        return
    yield from _games(games)
    broken = {game.game_id for game in games if game.error is not None}
    # Games are resumed in this order, which does not depend on the clock.
    open_games = [game.game_id for game in by_change if game.game in profiled and game.game_id not in broken]
    if open_games:
        yield from _profile(open_games[0], folder / "profiles")


def check_hall(folder: Path) -> Iterator[Finding]:
    """Yield the findings on the database of a club's hall in a data folder; none without such a file."""
    path, about = folder / HALL_NAME / HALL_DATABASE, said("hall")
    for aside in sorted(path.parent.glob(f"{path.name}.damaged-*[0-9]")):
        yield note(
            about,
            said("A damaged file was set aside: {name}.", name=str(aside.relative_to(folder))),
            said("The usual cause: the plug was pulled while a worn-out card was writing."),
            said("compare the tournaments, then delete the file"),
        )
    if not path.is_file():
        return
    with as_owner_of(path.parent):
        damage = database_damage(path)
    if damage is None:
        yield ok(about, said("The hall’s database is intact."))
    else:
        yield fault(
            about,
            said("The hall’s database is damaged: {fault}.", fault=damage),
            said("Results may be missing or wrong."),
            "sudo systemctl restart quilt-companion-hall",
        )


def _set_aside(folder: Path) -> Iterator[Finding]:
    aside = sorted([*folder.glob(f"{JOURNAL_NAME}.damaged-*[0-9]"), *folder.glob(f"{LOGS_NAME}/*.damaged-*")])
    if aside:
        says = said("The usual cause: the plug was pulled while a worn-out card was writing.")
        do = said(
            "everything before the damage is in the journal; a line of the file is a decision; delete the file if no "
            "game is missing"
        )
        name = str(aside[-1].relative_to(folder))
        yield note(_ABOUT, said("A damaged file was set aside: {name}.", name=name), says, do)
    for former in sorted(folder.glob(f"{ASIDE_NAME}-*/")):
        yield note(
            _ABOUT,
            said("What was here before a backup was restored is kept: {name}.", name=former.name),
            said("It contains the players’ names, too."),
            said("delete the folder if no game is missing"),
        )


def _foreign(folder: Path) -> Iterator[Finding]:
    """Yield a finding if files belong to another user than the folder, who could not go on writing to them."""
    if not folder.is_dir():
        return
    owner = folder.stat().st_uid
    # A folder may be gone by the time it is looked into, such as that of an unfinished backup.
    walked = (Path(place, name) for place, folders, files in os.walk(folder) for name in (*folders, *files))
    foreign = sorted(path for path in walked if _uid(path, owner) != owner)
    if foreign:
        says = said("Something may not be stored, as only that user may write to it.")
        name = str(foreign[0].relative_to(folder))
        what = counted(
            "{count} file belongs to another user: {name}.", "{count} files belong to another user, such as {name}.",
            len(foreign), name=name,
        )  # fmt: skip
        yield fault(_ABOUT, what, says, f"sudo chown -R --reference={folder} {folder}")


def _uid(path: Path, missing: int) -> int:
    try:
        return path.lstat().st_uid
    except OSError:
        return missing


def _games(games: Sequence[GameSummary]) -> Iterator[Finding]:
    broken = [game for game in games if game.error is not None]
    for game in broken:
        says = said("It is skipped; no other game is affected.")
        yield note(
            _ABOUT,
            said("Game {number} cannot be replayed: {fault}.", number=game.game_id, fault=game.error or ""),
            says,
        )
    yield ok(
        _ABOUT,
        counted(
            "The journal is intact: {count} game, {replayed} replayed.",
            "The journal is intact: {count} games, {replayed} replayed.",
            len(games),
            replayed=len(games) - len(broken),
        ),
    )


def _profile(number: int, profiles: Path) -> Iterator[Finding]:
    """Yield a finding if the game that would be resumed has lost the picture of its empty boards."""
    if not (profiles / f"{number}.npz").is_file():
        says = said(
            "The picture of its empty boards is lost; that of a calibration or of another game is used instead."
        )
        yield note(
            _ABOUT,
            said("Game {number} has lost the picture of its empty boards.", number=number),
            says,
            "companion calibrate",
        )
