"""Games of Kvilt played to their end by its strategy."""

import random

from companion.games.kvilt.rules import History
from companion.games.kvilt.state import Bag, Setup
from companion.games.kvilt.strategy.choice import CARELESSNESS, choose


def play_game(setup: Setup, rng: random.Random, carelessness: float = CARELESSNESS) -> History:
    """Play a whole game of simulated players with a virtual bag; simultaneous colouring is in random order."""
    history, bag = History(setup), Bag(rng.getrandbits(64))
    while not history.state.finished:
        seat = rng.choice(history.state.active)
        history.apply(choose(history.state, seat, bag, rng, carelessness=carelessness).decision)
    return history
