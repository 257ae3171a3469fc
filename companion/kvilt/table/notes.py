"""The journal's notes of a Kvilt table besides its decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from companion.games.kvilt.sheet.sheet import Colour
    from companion.journal import Book

_DRAWN: Final = "drawn"
_LET_GO: Final = "let go"
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

    def __init__(self, book: Book, game_id: int) -> None:
        self._book, self._game_id = book, game_id
        # Read once: during a game nobody else writes them.
        self._notes = dict(book.notes(game_id))

    def drawn(self, made: int) -> tuple[Colour, ...]:
        """Return the pencils that were drawn after `made` decisions and are not placed yet."""
        # A note of another number is out of date: the decision that it was for has been made or taken back.
        at, *drawn = self._notes.get(_DRAWN, "-").split()
        return tuple(drawn) if at == str(made) else ()

    def keep_drawn(self, made: int, drawn: Iterable[Colour]) -> None:
        """Save the drawn pencils, so that a power cut allows no second draw."""
        self._note(_DRAWN, " ".join([str(made), *drawn]))

    def let_go(self, seat: int) -> frozenset[str]:
        """Return the marks of a seat's sheet that do not count, as the players know."""
        return frozenset(self._listed(seat))

    def add_let_go(self, seat: int, regions: Iterable[str]) -> None:
        """Save further marks that do not count, which stay on the paper."""
        self._note(f"{_LET_GO} {seat}", " ".join(dict.fromkeys([*self._listed(seat), *regions])))

    def themes(self, seats: int) -> tuple[str, ...]:
        """Return the seats' themes; see `themes_in`."""
        return themes_in(self._notes, seats)

    def keep_theme(self, seat: int, theme: str) -> None:
        """Save the theme in which a seat's sheet was seen."""
        self._note(f"{_THEME} {seat}", theme)

    def _listed(self, seat: int) -> list[str]:
        return self._notes.get(f"{_LET_GO} {seat}", "").split()

    def _note(self, name: str, text: str) -> None:
        self._book.note(self._game_id, name, text)
        self._notes[name] = text
