"""A check, at the end of a game, of whose board the 7x7 tile lies by; a difference is asked about or announced once."""

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.games.patchwork import AwardTile, History, State, has_square
from companion.languages import Sentence, said
from companion.patchwork.ending.looks import LAST, EndLooks
from companion.patchwork.photograph.hands import LIKE_IT, owner_of
from companion.patchwork.reading.verdict import Question, QuestionTopic
from companion.patchwork.watching.watch import TableWatch
from vision.geometry.homography import Homography
from vision.tokens.tiles import Tile, find_tiles


@dataclass(frozen=True, slots=True)
class SeenTiles:
    """The objects of the 7x7 tile's size in a picture, and the seats of the boards.

    Attributes:
        tiles: the objects as found, their distances in the order of `seats`.
        seats: the seats of the boards seen.
    """

    tiles: tuple[Tile, ...]
    seats: tuple[int, ...]


def see_tiles(image: NDArray[np.uint8], places: Mapping[int, Homography], track: Homography | None = None) -> SeenTiles:
    """Return the objects of the 7x7 tile's size in a picture.

    Args:
        image: shape (height, width, 3), uint8, BGR.
        places: by seat, the map from cell space to the picture for each quilt.
        track: the same for the time board, if it is followed.
    """
    return SeenTiles(find_tiles(image, list(places.values()), track), tuple(places))


class TileCheck:
    """A comparison of the board that the 7x7 tile lies by with the records after the end; reported at most once.

    If the other player has a full square, too, a question is asked; otherwise the players are told to pass the tile on.

    Args:
        watch: the watch over the quilts.
        history: the game.
        executor: runs the looks, which take a second or two.
        say: announces a sentence to the players.
        see: finds objects of the tile's size.
    """

    def __init__(
        self,
        watch: TableWatch,
        history: History,
        executor: Executor,
        say: Callable[[str], None],
        see: Callable[[NDArray[np.uint8], Mapping[int, Homography]], SeenTiles] = see_tiles,
    ) -> None:
        self._watch, self._history, self._say, self._see = watch, history, say, see
        self._looks = EndLooks(watch, history, executor, self._look)
        self._begin()

    def _begin(self) -> None:
        self._before: int | None = None
        self._sure: int | None = None
        self._is_announced = False

    def see(self, now_s: float) -> None:
        """Process the next frame, which the watch has seen."""
        seen = self._looks.seen(now_s)
        state = self._history.state
        if not state.finished:
            if self._before is not None or self._is_announced:
                self._begin()
        elif seen is not None:
            now = owner_of(seen.tiles, seen.seats, is_square_sewn=LIKE_IT not in state.box)
            self._sure = now if now == self._before else None
            self._before = now
            self._announce_stray(state)

    def _announce_stray(self, state: State) -> None:
        """Announce once that the tile lies by the board of a player who cannot have it, if two looks agree on that."""
        seen, booked = self._sure, holder(state)
        if seen is None or booked is None or has_square(state.seat(seen).quilt):
            return
        if self._is_news(seen, booked):
            self._is_announced = True
            self._say(stray_sentence(state, booked, seen))

    def question(self) -> Question | None:
        """Return the question to ask now, if two looks agree on the board of a seat that could have the tile."""
        state, seen = self._history.state, self._sure
        booked, frame = holder(state), self._watch.frame
        if seen is None or booked is None or not state.finished or not self._is_news(seen, booked):
            return None
        self._is_announced = True
        return ownership_question(state, booked, seen, "" if frame is None else frame.name)

    def is_mended(self, asked: Question) -> bool:
        """Return whether an open question of the tile is obsolete because it lies by its recorded owner's board."""
        return asked.asks is QuestionTopic.TILE and self._sure == holder(self._history.state)

    def _is_news(self, seen: int, booked: int) -> bool:
        """Return whether the seat differs, is not announced, and players have not decided, even before a power cut."""
        is_awarded = any(isinstance(each, AwardTile) for each in self._history.decisions[-LAST:])
        return seen != booked and not self._is_announced and not is_awarded

    def _look(self, image: NDArray[np.uint8], places: Mapping[int, Homography]) -> SeenTiles:
        """Return the objects seen; none if no player has won the tile."""
        return SeenTiles((), ()) if holder(self._history.state) is None else self._see(image, places)


def holder(state: State) -> int | None:
    """Return the seat that has the 7x7 tile by the records, or None if it was not won."""
    return next((seat for seat in (1, 2) if state.seat(seat).bonus), None)


def ownership_question(state: State, booked: int, seen: int, frame: str) -> Question:
    """Return the question whose the tile is: the recorded owner's, shown first, or that of the nearest seat."""
    says = said(
        "The 7x7 tile is by {name}’s board; it should be {other}’s, who had a full square first. Whose is it?",
        name=state.setup.players[seen - 1],
        other=state.setup.players[booked - 1],
    )
    return Question(QuestionTopic.TILE, booked, (AwardTile(booked), AwardTile(seen)), (), says, frame)


def stray_sentence(state: State, booked: int, seen: int) -> Sentence:
    """Return the sentence that the tile lies beside the board of a player without a full square."""
    return said(
        "The 7x7 tile is by {name}’s board; it belongs to {other}, who has a full square.",
        name=state.setup.players[seen - 1],
        other=state.setup.players[booked - 1],
    )
