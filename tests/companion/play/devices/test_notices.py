from __future__ import annotations

from companion.play.devices import Notices


def test_sentences_wait_until_they_can_be_announced_and_are_announced_once() -> None:
    notices, announced = Notices(), list[tuple[str, object]]()
    notices.say("The lights do not respond.", "strip")
    notices.deliver()
    notices.address(lambda says, about: announced.append((says, about)))
    notices.say("The lights are back.")
    notices.deliver(3.0)
    notices.deliver(4.0)
    assert announced == [("The lights do not respond.", "strip"), ("The lights are back.", None)]
