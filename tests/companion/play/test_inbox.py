from __future__ import annotations

from threading import Event, Thread

import pytest

from companion.play.inbox import Answer, CommandRefusedError, Inbox, PressButton, TableAwayError
from hardware.ports import Button


def test_requests_come_out_once_in_their_request() -> None:
    inbox = Inbox()
    inbox.put(Answer(0))
    inbox.put("bar3")
    assert [request.command for request in inbox.take()] == [Answer(0), "bar3"]
    assert inbox.take() == ()


def test_a_request_is_answered_by_its_outcome() -> None:
    inbox = Inbox()
    done, refused = inbox.put(Answer(0)), inbox.put(Answer(1))
    first, second = inbox.take()
    first.done(())
    second.refuse(CommandRefusedError("Which?", ("corner-b1", "corner-b3")))
    assert done.result(timeout=0) == ()
    with pytest.raises(CommandRefusedError, match="Which") as caught:
        refused.result(timeout=0)
    assert caught.value.candidates == ("corner-b1", "corner-b3")


def test_a_request_that_was_withdrawn_is_not_taken() -> None:
    inbox = Inbox()
    assert inbox.put(Answer(0)).cancel()
    assert inbox.take() == ()
    late = inbox.put(Answer(1))
    (request,) = inbox.take()
    assert late.cancel()
    assert request.abandoned
    request.done(())
    assert late.cancelled()


def test_a_full_inbox_refuses_until_it_is_emptied() -> None:
    inbox = Inbox(capacity=2)
    waiting = [inbox.put(Answer(number)) for number in range(3)]
    with pytest.raises(TableAwayError, match="busy"):
        waiting[2].result(timeout=0)
    assert len(inbox.take()) == 2
    assert not inbox.put(Answer(3)).done()


def test_a_confirm_waits_with_all_behind_it_until_the_hand_has_laid_its_piece() -> None:
    hand = Event()
    inbox = Inbox(hands_busy=lambda: not hand.is_set())
    for command in (PressButton(Button.UNDO), PressButton(Button.CONFIRM), Answer(0)):
        inbox.put(command)
    assert [each.command for each in inbox.take()] == [PressButton(Button.UNDO)]
    assert inbox.waits_for_hand
    assert inbox.take() == ()
    hand.set()
    assert [each.command for each in inbox.take()] == [PressButton(Button.CONFIRM), Answer(0)]


def test_a_closed_inbox_refuses_what_waits_and_what_comes() -> None:
    inbox = Inbox()
    waiting = inbox.put(Answer(0))
    inbox.close()
    inbox.close()
    for outcome in (waiting, inbox.put(Answer(1))):
        with pytest.raises(TableAwayError, match="Play has ended"):
            outcome.result(timeout=0)
    assert inbox.take() == ()


def test_many_threads_may_leave_requests() -> None:
    inbox = Inbox(capacity=800)
    threads = [Thread(target=lambda: [inbox.put(Answer(0)) for _ in range(100)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(inbox.take()) == 800
