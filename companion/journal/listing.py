"""The queries for lists of games in the tables on disk, and the form of a summary in them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from companion.journal.summary import SUMMARY_VERSION, Status, Summary

if TYPE_CHECKING:
    from companion.journal.book import GameFilter

_COLUMNS: Final = "id, table_name, started_at, last_at, touched, game, players, decisions, status, scores, winners"

DELETE_GAME: Final = (
    "DELETE FROM entries WHERE game_id = ?",
    "DELETE FROM notes WHERE game_id = ?",
    "DELETE FROM games WHERE id = ?",
)
SELECT_GAME: Final = f"SELECT {_COLUMNS} FROM games WHERE id = ? AND summary_version = ?"  # noqa: S608
SELECT_FIGURES: Final = "SELECT figures FROM games WHERE status = ? AND game = ? AND summary_version = ?"
SELECT_PLAYERS: Final = (
    "SELECT players, max(touched) FROM games WHERE decisions > 0 AND players IS NOT NULL AND summary_version = ?"
    " GROUP BY players"
)
SELECT_FINISHED: Final = (
    "SELECT count(*), coalesce(max(touched), 0), coalesce(group_concat(players, ''), '') FROM games WHERE status = ?"
)
SELECT_STRANGE: Final = (
    "SELECT id FROM (SELECT id, status FROM games ORDER BY id DESC LIMIT ?)"
    " WHERE status NOT IN ('unfinished', 'finished', 'broken')"
)
SELECT_OUTDATED: Final = (
    "SELECT id FROM games WHERE summary_version IS NULL OR summary_version < ? OR summary_version > ?"
)
"""Two ranges in place of `!=`, for which SQLite would read the whole table instead of the index."""
SUM_UP: Final = (
    "UPDATE games SET summary_version = ?, game = ?, players = ?, decisions = ?, status = ?, scores = ?, winners = ?,"
    " figures = ? WHERE id = ?"
)


def select_games(wanted: GameFilter) -> tuple[str, list[object]]:
    """Return the query for a list of games with summaries, and its values; it selects as `GameFilter.matches` does."""
    # A plus prevents SQLite from using an index that nearly every game matches: it would sort them all for the last
    # few.
    conditions: list[tuple[str, tuple[object, ...]]] = [("+summary_version = ?", (SUMMARY_VERSION,))]
    if wanted.table is not None:
        is_rare = wanted.status is not None or not wanted.by_change
        conditions.append(("table_name = ?" if is_rare else "+table_name = ?", (wanted.table,)))
    if wanted.game is not None:
        conditions.append(("game = ?", (wanted.game,)))
    if wanted.status is not None:
        conditions.append(("status = ?", (wanted.status.value,)))
    if wanted.decided:
        conditions.append(("(decisions > 0 OR id = ?)", (wanted.also,)))
    if wanted.before is not None:
        conditions.append(("id < ?", (wanted.before,)))
    where = " AND ".join(condition for condition, _ in conditions)
    order = "touched" if wanted.by_change else "id"
    query = f"SELECT {_COLUMNS} FROM games WHERE {where} ORDER BY {order} DESC LIMIT ?"  # noqa: S608
    # For SQLite a negative limit is none.
    limit = -1 if wanted.limit is None else wanted.limit
    return query, [*(value for _, values in conditions for value in values), limit]


def row_of(summary: Summary) -> tuple[object, ...]:
    """Return a summary as the values of `SUM_UP`."""
    players, scores, winners = (
        None if values is None else json.dumps(values, ensure_ascii=False)
        for values in (summary.players, summary.scores, summary.winners)
    )
    status = summary.status.value
    version = None if summary.foreign else SUMMARY_VERSION
    return version, summary.game, players, summary.decisions, status, scores, winners, summary.figures


def summary_in(
    game: str, players: str | None, decisions: int, status: str, scores: str | None, winners: str
) -> Summary:
    """Return the summary in a row of a list, without the figures and without the fault of a broken game.

    Raises:
        ValueError: if the row is damaged.
        TypeError: if the row is damaged.
    """
    named = None if players is None else tuple(json.loads(players))
    points = None if scores is None else tuple(json.loads(scores))
    return Summary(game, named, decisions, Status(status), points, tuple(json.loads(winners)))
