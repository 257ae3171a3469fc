from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from companion.play.devices import clear_away

if TYPE_CHECKING:
    import pytest


class Part:
    """An object in a reference cycle, as a table's parts are."""

    def __init__(self) -> None:
        self.other = self


def test_the_garbage_of_a_game_is_collected_before_free_memory_goes_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left, was_collected = weakref.ref(Part()), list[bool]()
    monkeypatch.setattr("companion.play.devices.give_back_memory", lambda: was_collected.append(left() is None))
    clear_away()
    assert was_collected == [True]
