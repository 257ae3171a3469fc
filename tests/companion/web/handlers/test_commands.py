"""Test commands from the browser to the turn loop, and their answers."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from companion.games.patchwork.cells import mask_of
from companion.languages import LANGUAGES
from companion.patchwork.circle.desk import CircleDesk
from companion.patchwork.commands import NamePatch, Override
from companion.play.events import Complained, DecisionTaken, DecisionUndone, LookStarted, NothingToUndo
from companion.play.inbox import Answer, CommandRefusedError, Inbox, Insist, PressButton, SendWord
from companion.play.speaker import Speaker
from companion.web.page import build_app
from hardware.clock import Tempo
from hardware.ports import Button
from hardware.voices import SwitchedVoice
from tests.companion.web.conftest import HERE, Desk, played
from tests.vendors.recorded_voice import SimulatedVoice

if TYPE_CHECKING:
    from companion.patchwork.commands import Command
    from companion.patchwork.reading.verdict import Complaint
    from companion.play.events import Event
    from tests.companion.web.conftest import MakeDesk


def _press(desk: Desk, button: str, *then: Event) -> tuple[Any, list[Button]]:
    """Return the answer to a press that leads to these events, and the presses at the table."""
    answer, taken = _order(desk, "/api/press", {"button": button}, *then)
    return answer, [each.button for each in taken if isinstance(each, PressButton)]


def _order(desk: Desk, path: str, body: object, *then: Event | CommandRefusedError) -> tuple[Any, list[object]]:
    """Return the answer to a command that leads to these events, and the commands at the table."""
    taken: list[object] = []

    def turn() -> None:
        for order in desk.site.inbox.take():
            taken.append(order.command)
            if then and isinstance(then[0], CommandRefusedError):
                order.refuse(then[0])
            else:
                order.done(tuple(event for event in then if not isinstance(event, CommandRefusedError)))

    return desk.at_table(turn, lambda: desk.post(path, body)), taken


@pytest.mark.parametrize("button", [*Button])
def test_a_press_reaches_the_table(desk: MakeDesk, button: Button) -> None:
    history, _ = played(0)
    answer, pressed = _press(desk().with_key(), button.value, LookStarted(history.state))
    assert (answer.status_code, answer.json()) == (200, {"ok": True, "says": ""})
    assert pressed == [button]


def test_a_press_is_answered_with_what_came_of_it(desk: MakeDesk) -> None:
    history, _ = played(1)
    undone = DecisionUndone(history.undo(), history.state)
    answer, _ = _press(desk().with_key(), "undo", undone)
    assert answer.status_code == 200
    assert answer.json()["says"].startswith("Taken back: Anna ")


def test_a_press_that_comes_to_nothing_is_refused_in_a_sentence(desk: MakeDesk, overlap: Complaint) -> None:
    state = played(0)[0].state
    opened = desk().with_key()
    answer, _ = _press(opened, "undo", NothingToUndo(state))
    assert answer.status_code == 409
    assert answer.json() == {
        "ok": False,
        "error": "There is nothing to take back.",
        "errors": ["There is nothing to take back."],
        "status": 409,
    }
    assert _press(opened, "advance", Complained(overlap, state))[0].json()["error"] == "The new patch overlaps."


@pytest.mark.parametrize(
    ("path", "body", "command"),
    [
        ("/api/answer", {"option": 1}, Answer(1)),
        ("/api/answer", {"option": None}, Answer(None)),
        ("/api/answer", {"option": 1, "question": 7}, Answer(1, 7)),
        ("/api/override", {"seat": 1, "cells": ["A1", "B1"]}, Override(1, mask_of(["A1", "B1"]))),
        ("/api/override", {"seat": 2, "cells": ["I9"], "patch": "bar3"}, Override(2, mask_of(["I9"]), "bar3")),
        ("/api/override", {"seat": 2, "cells": ["I9"], "patch": None}, Override(2, mask_of(["I9"]))),
        ("/api/name", {"patch": "corner-b3"}, NamePatch("corner-b3")),
        ("/api/insist", {}, Insist()),
        ("/api/word", {"text": "hello"}, SendWord("hello")),
    ],
)
def test_a_command_reaches_the_table(desk: MakeDesk, path: str, body: object, command: Command) -> None:
    _, happened = played(1)
    taken = happened[-1]
    assert isinstance(taken, DecisionTaken)
    answer, commands = _order(desk().with_key(), path, body, taken)
    assert commands == [command]
    assert answer.status_code == 200
    assert answer.json()["says"].startswith("Anna takes ")


def test_a_refusal_carries_the_sentence_and_what_there_is_to_choose_from(desk: MakeDesk) -> None:
    refusal = CommandRefusedError("Which of them?", ("corner-b1", "corner-b3"))
    answer, _ = _order(desk().with_key(), "/api/override", {"seat": 1, "cells": ["A1"]}, refusal)
    assert answer.status_code == 409
    assert answer.json()["error"] == "Which of them?"
    assert answer.json()["candidates"] == ["corner-b1", "corner-b3"]


def test_a_table_that_does_not_answer_is_not_waited_for_and_the_command_withdrawn(desk: MakeDesk) -> None:
    opened = desk()
    hasty = replace(opened.site, answers_in_s=0.01)
    opened.client = type(opened.client)(build_app(hasty), HERE, client=("127.0.0.1", 5))
    opened.with_key()
    for path, body in (("/api/answer", {"option": 0}), ("/api/press", {"button": "undo"})):
        answer = opened.post(path, body)
        assert (answer.status_code, answer.json()["error"]) == (503, "The table does not answer; try again.")
    assert opened.site.inbox.take() == ()
    circle = CircleDesk()
    circle.look(0.0)
    site = replace(hasty, desks={"patchwork": circle})
    opened.client = type(opened.client)(build_app(site), HERE, client=("127.0.0.1", 5))
    busy = opened.with_key().post("/api/press", {"button": "undo"}).json()["error"]
    assert busy.startswith("The camera is still looking at the circle")


def test_a_press_that_waits_for_a_hand_is_waited_for_longer(desk: MakeDesk) -> None:
    opened = desk()
    impatient, arrived = threading.Event(), threading.Event()

    def on_its_way() -> bool:
        busy = not arrived.is_set()
        impatient.set()
        return busy

    def turn() -> None:
        if impatient.wait(0.01):
            arrived.set()
            for each in inbox.take():
                each.done()

    inbox = Inbox(hands_busy=on_its_way)
    site = replace(opened.site, inbox=inbox, answers_in_s=0.01)
    opened.client = type(opened.client)(build_app(site), HERE, client=("127.0.0.1", 5))
    opened.with_key()
    answer = opened.at_table(turn, lambda: opened.post("/api/press", {"button": "confirm"}))
    assert answer.status_code == 200


def test_after_the_evening_nothing_is_taken(desk: MakeDesk) -> None:
    opened = desk().with_key()
    opened.site.inbox.close()
    for path, body in (("/api/answer", {"option": 0}), ("/api/press", {"button": "undo"})):
        answer = opened.post(path, body)
        assert (answer.status_code, answer.json()["error"]) == (503, "Play has ended.")


@pytest.mark.parametrize(
    ("path", "body", "error"),
    [
        ("/api/press", {"button": "explode"}, "Invalid enum value 'explode' at `$.button`."),
        ("/api/press", {"button": 1}, "Expected `str`, got `int` at `$.button`."),
        ("/api/press", {}, "Object missing required field `button`."),
        ("/api/press", {"button": "undo", "why": 1}, "Object contains unknown field `why`."),
        ("/api/press", [], "Expected `object`, got `array`."),
        ("/api/answer", {"option": True}, "Expected `int | null`, got `bool` at `$.option`."),
        ("/api/answer", {"option": -1}, "Expected `int` >= 0 at `$.option`."),
        ("/api/answer", {"option": 1.5}, "Expected `int | null`, got `float` at `$.option`."),
        ("/api/answer", {"option": float("nan")}, "JSON is malformed: invalid character (byte 11)."),
        ("/api/override", {"seat": 3, "cells": ["A1"]}, "Expected `int` <= 2 at `$.seat`."),
        ("/api/override", {"seat": "1", "cells": ["A1"]}, "Expected `int`, got `str` at `$.seat`."),
        ("/api/override", {"seat": 1, "cells": []}, "Expected `array` of length >= 1 at `$.cells`."),
        ("/api/override", {"seat": 1, "cells": ["A1", "A1"]}, "The items of `cells` are not distinct."),
        ("/api/override", {"seat": 1, "cells": [["A1"]]}, "Expected `str`, got `array` at `$.cells[0]`."),
        ("/api/override", {"seat": 1, "cells": ["A1"], "patch": 1}, "Expected `str | null`, got `int` at `$.patch`."),
        ("/api/name", {"patch": None}, "Expected `str`, got `null` at `$.patch`."),
    ],
)
def test_a_malformed_command_is_refused_in_one_line(desk: MakeDesk, path: str, body: object, error: str) -> None:
    answer = desk().with_key().post(path, body)
    assert answer.status_code == 400
    assert answer.json()["errors"] == [error]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/override", {"seat": 1, "cells": ["J1"]}),
        ("/api/name", {"patch": "bar3\n"}),
        ("/api/name", {"patch": "bar"}),
        ("/api/name", {"\ud800": 1, "patch": "bar3"}),
        ("/api/name", {"k" * 900: 1, "patch": "bar3"}),
    ],
)
def test_unknown_names_are_refused_in_a_short_line(desk: MakeDesk, path: str, body: object) -> None:
    answer = desk().with_key().post(path, body)
    assert answer.status_code == 400
    assert len(answer.json()["error"]) < 200


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"\xff", "application/json", 400),
        (b"[" * 4000, "application/json", 400),
        (b'{"button": "undo"}', "text/plain", 415),
        (b'{"button": "undo"}', "application/x-www-form-urlencoded", 415),
        (b"button=undo", "", 415),
        (b" " * 5000, "application/json", 413),
    ],
)
def test_a_body_must_be_a_small_json_object(desk: MakeDesk, content: bytes, kind: str, status: int) -> None:
    opened = desk().with_key()
    answer = opened.client.post("/api/press", content=content, headers={"content-type": kind})
    assert (answer.status_code, answer.json()["status"]) == (status, status)
    assert opened.site.inbox.take() == ()


def test_a_long_body_is_not_read_to_its_end_even_where_its_length_is_not_declared(desk: MakeDesk) -> None:
    def endless() -> Any:
        for _ in range(100):
            yield b" " * 1000

    answer = (
        desk().with_key().client.post("/api/press", content=endless(), headers={"content-type": "application/json"})
    )
    assert answer.status_code == 413


def test_commands_are_limited_in_their_rate(desk: MakeDesk) -> None:
    opened = desk().with_key()
    statuses = [opened.post("/api/press", {}).status_code for _ in range(21)]
    assert statuses == [400] * 20 + [429]
    opened.clock.now_s += 0.2
    assert opened.post("/api/answer", {}).status_code == 400


def test_commands_are_not_read_from_an_address(desk: MakeDesk) -> None:
    answer = desk().with_key().client.get("/api/press?button=undo")
    assert (answer.status_code, answer.json()["error"]) == (405, "This address does not support that.")
    assert answer.headers["allow"] == "POST"


def test_a_refused_method_names_all_methods_of_the_address(desk: MakeDesk) -> None:
    answer = desk().client.put("/api/voice", json={})
    assert answer.headers["allow"] == "GET, HEAD, POST"


def test_simulated_players_pause_and_play_faster(desk: MakeDesk) -> None:
    tempo = Tempo()
    at_table = desk(tempo=tempo).with_key()
    assert at_table.client.get("/api/me").json()["tempo"] == {"speed": 1.0, "paused": False}
    assert at_table.post("/api/tempo", {"speed": 2.0, "paused": True}).status_code == 200
    assert tempo == Tempo(2.0, paused=True)
    assert at_table.client.get("/api/me").json()["tempo"] == {"speed": 2.0, "paused": True}
    assert at_table.post("/api/tempo", {"speed": 0.0, "paused": False}).status_code == 400
    assert desk().with_key().post("/api/tempo", {"speed": 2.0, "paused": False}).status_code == 404


def test_the_voice_at_the_table_is_told_and_chosen(desk: MakeDesk) -> None:
    plain = SimulatedVoice()
    at_table = desk().with_key()
    assert at_table.client.get("/api/voice").json() == {"voices": [], "chosen": "none"}
    at_table.site.voice.set_speaker(Speaker(SwitchedVoice({"espeak-ng": lambda: plain}), LANGUAGES["en"], lambda _: ()))
    assert at_table.post("/api/voice", {"voice": "espeak-ng"}).json() == {"ok": True, "says": ""}
    assert plain.spoken == [("This is how I speak.", "en")]
    assert at_table.client.get("/api/voice").json() == {"voices": ["espeak-ng"], "chosen": "espeak-ng"}
    refused = at_table.post("/api/voice", {"voice": "piper"})
    assert (refused.status_code, refused.json()["error"]) == (409, "There is no such voice at this table.")
    assert at_table.post("/api/voice", {"voice": "none"}).status_code == 200
    assert at_table.client.get("/api/voice").json()["chosen"] == "none"
    assert at_table.post("/api/voice", {"voice": "festival"}).status_code == 400
