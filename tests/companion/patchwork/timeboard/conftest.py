from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.patchwork.timeboard_print import PrintingDesk
from tests.companion.patchwork.timeboard.boards import PHOTO_SHAPE
from tests.vision.timeboard.conftest import TRACK

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def printing_desk(tmp_path: Path) -> PrintingDesk:
    """A desk with an empty photograph, because only the tapped points matter."""
    return PrintingDesk(tmp_path / "mine.toml", np.full(PHOTO_SHAPE, 120, np.uint8), TRACK)
