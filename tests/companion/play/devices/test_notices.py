from __future__ import annotations

import pytest

from companion.games.patchwork import History, Setup
from companion.play import events
from companion.play.devices import Notices


def test_sentences_are_kept_until_there_is_somebody_to_tell_and_are_told_once() -> None:
    notices, told = Notices(), list[events.Event]()
    notices.say("The lights do not respond.")
    notices.deliver()
    history = History(Setup(players=("Anna", "Boris")))
    notices.address(history, [told.append])
    notices.say("The lights are back.")
    notices.deliver(3.0)
    notices.deliver(4.0)
    assert told == [
        events.TableNoticed("The lights do not respond.", history.state),
        events.TableNoticed("The lights are back.", history.state),
    ]


def test_a_listener_that_fails_keeps_nobody_else_from_hearing(caplog: pytest.LogCaptureFixture) -> None:
    notices, told = Notices(), list[events.Event]()

    def fail(_: events.Event) -> None:
        raise ValueError("no")

    notices.address(History(Setup(players=("Anna", "Boris"))), [fail, told.append])
    notices.say("The camera is back.")
    notices.deliver()
    assert len(told) == 1
    assert "was not told of The camera is back." in caplog.text


def test_a_reader_that_has_gone_ends_the_program() -> None:
    notices = Notices()

    def gone(_: events.Event) -> None:
        raise BrokenPipeError

    notices.address(History(Setup(players=("Anna", "Boris"))), [gone])
    notices.say("The camera is back.")
    with pytest.raises(BrokenPipeError):
        notices.deliver()
