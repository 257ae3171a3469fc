"""The virtual bag of pencils, drawn by a seed. The rules are passed what was drawn; they never draw themselves."""

import random

from companion.games.kvilt.sheet.sheet import Colour
from companion.games.kvilt.state import State


class Bag:
    """Draws for one game, equally likely over the pencils that are left.

    A draw follows from the seed and the number of decisions made: a resumed game draws what it would have drawn
    without the interruption, and undoing a decision does not change its draw.

    Args:
        seed: the seed of the whole game.
    """

    def __init__(self, seed: int | str) -> None:
        self.seed = seed

    def draw(self, state: State, count: int = 1) -> tuple[Colour, ...]:
        """Return the pencils drawn for the next decision, in order; fewer if the bag holds fewer."""
        # A text is seeded by its digest, so that the draw is the same in every process; its `hash` would differ.
        rng = random.Random(f"{self.seed}/{state.decisions_made}")
        left = [colour for colour, number in state.pencils_in_bag.items() for _ in range(number)]
        return tuple(rng.sample(left, min(count, len(left))))
