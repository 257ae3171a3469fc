"""What several tests of a table's composition begin with."""

from __future__ import annotations

import numpy as np
import pytest

from companion.bootstrap.circledesk import CircleDesk
from companion.games.patchwork import PATCHES, History, Setup
from companion.market import SeenMarket, SeenPiece


@pytest.fixture
def circle() -> CircleDesk:
    """A desk where a circle lies out, left by a game of Patchwork."""
    desk, history = CircleDesk(), History(Setup())
    desk.begin(history, history.know_market, lambda _: None)
    pieces = [SeenPiece(patch, np.zeros((4, 2)), (0.0, 0.0), ((patch, 1.0),), sure=False) for patch in PATCHES]
    desk.lay_out(SeenMarket(tuple(pieces), None, "domino"), np.zeros((6, 8, 3), np.uint8))
    assert desk.laid is not None
    return desk
