from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from companion.upkeep.service import AGAIN_S, Repeats, repeats_left_out

if TYPE_CHECKING:
    import pytest

LOG = logging.getLogger("tests.repeats")


def _record(says: str, *arguments: object, fault: Exception | None = None) -> logging.LogRecord:
    about = None if fault is None else (type(fault), fault, None)
    return logging.LogRecord("tests", logging.WARNING, "", 0, says, arguments, about)


def test_a_reason_is_said_once_an_hour_with_how_often_it_was_left_out() -> None:
    now = [0.0]
    repeats = Repeats(lambda: now[0])
    assert repeats.filter(_record("%s is away", "camera"))
    for now[0] in (1.0, 2.0, AGAIN_S - 1):
        assert not repeats.filter(_record("%s is away", "camera"))
    now[0] = AGAIN_S
    again = _record("%s is away", "camera")
    assert repeats.filter(again)
    assert again.getMessage() == "camera is away (and 3 times since)"


def test_other_words_and_other_faults_are_other_reasons() -> None:
    repeats = Repeats(lambda: 0.0)
    assert repeats.filter(_record("%s is away", "camera"))
    assert repeats.filter(_record("%s is away", "strip"))
    assert repeats.filter(_record("was not told", fault=ValueError("one")))
    assert repeats.filter(_record("was not told", fault=ValueError("two")))
    assert not repeats.filter(_record("was not told", fault=ValueError("two")))


def test_only_the_last_messages_are_remembered() -> None:
    repeats = Repeats(lambda: 0.0)
    for number in range(300):
        assert repeats.filter(_record("%d", number))
    assert not repeats.filter(_record("%d", 299))
    assert repeats.filter(_record("%d", 0)), "the oldest are forgotten"


def test_the_log_of_a_service_leaves_repeats_out(capsys: pytest.CaptureFixture[str]) -> None:
    with repeats_left_out():
        for _ in range(100):
            LOG.warning("the strip is away")
        LOG.info("a frame")
    LOG.warning("the strip is away")
    assert capsys.readouterr().err.count("the strip is away") == 1
