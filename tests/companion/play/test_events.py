from __future__ import annotations

import dataclasses
import inspect
from typing import get_args

import pytest

from companion.games.patchwork.rules import new_game
from companion.games.patchwork.state import Setup
from companion.play import events

KINDS = get_args(events.Event)


def test_every_event_there_is_belongs_to_the_union() -> None:
    classes = [kind for _, kind in inspect.getmembers(events, inspect.isclass) if kind.__module__ == events.__name__]
    own = {kind for kind in classes if issubclass(kind, events.TableEvent)} - {events.TableEvent}
    assert own == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_every_event_carries_the_state_and_what_is_open_after_it(kind: type) -> None:
    assert {"state", "pending"} <= {field.name for field in dataclasses.fields(kind)}
    assert kind.__doc__


def test_events_are_facts_and_do_not_change() -> None:
    state = new_game(Setup())
    event = events.LookCalledOff(state)
    assert event == events.LookCalledOff(state)
    with pytest.raises(dataclasses.FrozenInstanceError):
        event.state = state  # type: ignore[misc]  # the purpose of the test
