"""Test the page between the turn loop and its clients, without a server."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.config import PageConfig
from companion.play.events import GameOpened, LookStarted
from companion.play.friend import FriendStatus
from companion.play.inbox import Answer, TableAwayError
from companion.registry import pages
from companion.web.account import EVERY_S
from companion.web.handlers.reading import ANNOUNCEMENTS, SNAPSHOT, STRIP
from companion.web.page import CAMERA_LOST_S, DRAWN_S, FIRST_FRAME_S, LOOK_S, PageServer
from hardware.simulated.virtual.table import VirtualTable
from tests.companion.announcing import Announcer
from tests.companion.web.conftest import ManualClock, Watch, played


class Stage:
    """A page, its clock, and a watch over the table."""

    def __init__(self, virtual: VirtualTable | None = None, **config: Any) -> None:
        self.clock = ManualClock()
        self.page = PageServer(pages(), PageConfig(**config), clock=self.clock, virtual=virtual)
        self.announce = Announcer(self.page)
        self.watch = Watch()
        self.site = self.page.site()

    def frame(self) -> None:
        self.page.observe(self.watch, 1.0)

    @property
    def shown(self) -> Any:
        return json.loads(self.site.hub.latest(SNAPSHOT) or b"")

    @property
    def strip(self) -> Any:
        published = self.site.hub.latest(STRIP)
        return None if published is None else json.loads(published)["pixels"]


def test_before_anything_happens_there_is_a_snapshot() -> None:
    assert Stage().shown["phase"] == "waiting"


def test_every_event_is_a_snapshot_with_a_number_of_its_own() -> None:
    stage, numbers = Stage(), []
    for event in played(6)[1]:
        stage.page(event)
        numbers.append(stage.shown["number"])
        stage.frame()
    assert numbers == sorted(set(numbers))
    assert stage.shown["game"]["decisions"] == 6


def test_a_game_that_goes_on_is_shown_with_its_patches() -> None:
    history, _ = played(6)
    stage = Stage()
    stage.page(GameOpened(7, history.state, history.decisions))
    assert sum(len(seat["pieces"]) for seat in stage.shown["patchwork"]["seats"]) > 0


def test_announcements_wait_for_whoever_opens_the_page_later() -> None:
    stage = Stage()
    stage.page.announce(["Round 2 at eight"])
    assert json.loads(stage.site.hub.latest(ANNOUNCEMENTS) or b"") == {"announcements": ["Round 2 at eight"]}


def test_there_is_a_picture_once_the_camera_has_seen_something() -> None:
    stage = Stage()
    assert stage.page.picture() is None


def test_a_snapshot_is_sent_when_the_visibility_changes() -> None:
    stage = Stage()
    stage.page(played(0)[1][0])
    stage.frame()
    first = stage.shown
    assert first["table"]["camera"]
    assert first["table"]["in_view"] == [1, 2]
    stage.frame()
    assert stage.shown["number"] == first["number"]
    del stage.watch.places[2]
    stage.frame()
    assert stage.shown["table"]["in_view"] == [1]


def test_a_camera_that_falls_silent_is_told_once_and_so_is_its_return() -> None:
    stage = Stage()
    stage.page(played(0)[1][0])
    stage.page.check_camera()
    stage.frame()
    stage.clock.now_s += CAMERA_LOST_S
    stage.page.check_camera()
    assert stage.shown["table"]["camera"]
    stage.clock.now_s += 0.1
    stage.page.check_camera()
    lost = stage.shown
    assert not lost["table"]["camera"]
    assert lost["table"]["waiting_for"] == "The camera sends no pictures."
    stage.page.check_camera()
    assert stage.shown["number"] == lost["number"]
    stage.frame()
    assert stage.shown["table"]["camera"]


def test_while_a_picture_is_read_no_frame_is_missed() -> None:
    stage = Stage()
    history, (opened, *_) = played(0)
    stage.page(opened)
    stage.frame()
    stage.announce(LookStarted(history.state))
    stage.clock.now_s += LOOK_S
    stage.page.check_camera()
    assert stage.shown["table"]["camera"]
    stage.clock.now_s += 0.1
    stage.page.check_camera()
    assert not stage.shown["table"]["camera"]


def test_the_first_picture_is_awaited_for_a_while_before_the_camera_is_complained_of() -> None:
    stage = Stage()
    stage.page(played(0)[1][0])
    assert (stage.shown["table"]["camera"], stage.shown["table"]["awaited"]) == (False, True)
    stage.clock.now_s += FIRST_FRAME_S
    stage.page.check_camera()
    assert stage.shown["table"]["awaited"]
    stage.clock.now_s += 0.1
    stage.page.check_camera()
    assert (stage.shown["table"]["camera"], stage.shown["table"]["awaited"]) == (False, False)
    stage.frame()
    assert (stage.shown["table"]["camera"], stage.shown["table"]["awaited"]) == (True, False)


def test_pictures_that_are_drawn_here_are_awaited_for_longer() -> None:
    stage = Stage(VirtualTable())
    stage.page(played(0)[1][0])
    for _ in range(2):
        stage.clock.now_s += DRAWN_S
        stage.page.check_camera()
        assert stage.shown["table"]["camera"] or stage.shown["table"]["awaited"]
        stage.frame()
    stage.clock.now_s += DRAWN_S + 0.1
    stage.page.check_camera()
    assert not stage.shown["table"]["camera"]


def test_a_table_without_a_game_says_what_it_waits_for() -> None:
    stage = Stage()
    stage.page.await_game("There is no camera. Trying again.")
    shown = stage.shown
    assert (shown["phase"], shown["game"]) == ("waiting", None)
    assert shown["table"]["waiting_for"] == "There is no camera. Trying again."
    stage.page(played(0)[1][0])
    assert stage.shown["number"] > shown["number"]
    assert stage.shown["table"]["waiting_for"] == "The camera is starting."


def test_a_friend_who_is_awaited_takes_the_place_of_the_game_before() -> None:
    stage = Stage()
    stage.page(played(0)[1][0])
    stage.page.await_game("The code is KQ7X-M4PD.", friend=FriendStatus(2, "KQ7XM4PD"))
    shown = stage.shown
    assert (shown["phase"], shown["game"], shown["patchwork"]) == ("waiting", None, None)
    assert (shown["friend"]["code"], shown["friend"]["name"]) == ("KQ7X-M4PD", "")
    assert shown["table"]["waiting_for"] == "The code is KQ7X-M4PD."
    stage.page.await_game("Press confirm.")
    assert stage.shown["friend"] is None


def test_an_event_while_the_camera_is_away_does_not_bring_it_back() -> None:
    stage = Stage()
    opened, *rest = played(3)[1]
    stage.page(opened)
    stage.frame()
    stage.clock.now_s += CAMERA_LOST_S + 0.1
    stage.page.check_camera()
    stage.page(rest[0])
    assert not stage.shown["table"]["camera"]


def test_the_strip_is_told_at_a_pace_and_its_last_state_is_never_lost() -> None:
    stage = Stage()
    stage.page.strip([(1, 1, 1)])
    assert stage.strip == ["#010101"]
    stage.page.strip([(2, 2, 2)])
    stage.frame()
    assert stage.strip == ["#010101"]
    stage.clock.now_s += 2 * EVERY_S
    stage.frame()
    assert stage.strip == ["#020202"]
    stage.page(played(0)[1][0])
    assert stage.shown["strip"] == {"pixels": ["#020202"]}


def test_its_requests_are_those_of_the_table() -> None:
    stage = Stage()
    stage.site.inbox.put(Answer(0))
    assert [each.command for each in stage.page.remote.inbox.take()] == [Answer(0)]


def test_after_the_end_all_is_still_shown_and_nothing_taken() -> None:
    stage = Stage()
    for event in played(999)[1]:
        stage.page(event)
    stage.page.end()
    number = stage.shown["number"]
    stage.page.end()
    shown = stage.shown
    assert (shown["over"], shown["phase"], shown["number"]) == (True, "finished", number)
    with pytest.raises(TableAwayError):
        stage.site.inbox.put(Answer(0)).result(timeout=0)
    stage.clock.now_s += 60
    stage.page.check_camera()
    assert stage.shown["number"] == number


@pytest.mark.parametrize(
    ("config", "address", "join"),
    [
        ({}, "http://localhost:0/", None),
        ({"host": "127.0.0.1"}, "http://localhost:0/", None),
        ({"lan": True, "host": "192.168.1.20"}, "http://192.168.1.20:0/", "http://192.168.1.20:0"),
        ({"lan": True, "host": "fd00::20"}, "http://[fd00::20]:0/", "http://[fd00::20]:0"),
        ({"lan": True, "host": "127.0.0.1"}, "http://localhost:0/", None),
    ],
)
def test_it_knows_where_it_is_reached(config: dict[str, Any], address: str, join: str | None) -> None:
    page = Stage(**config).page
    assert page.door.address == address
    assert page.door.link.startswith(f"{address}?key=")
    assert page.door.join_address == join
    assert (page.door.join_link or "").startswith(f"{join}/join?code=" if join else "")


def test_on_the_network_it_gives_the_address_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Stage(lan=True).page
    monkeypatch.setattr("companion.web.transport.server._own_address", lambda _: "192.168.1.9")
    assert page.door.join_address == "http://192.168.1.9:0"
    assert page.door.address == "http://localhost:0/"
    everywhere = Stage(lan=True, host="0.0.0.0").page  # noqa: S104  # the tested setting
    assert (everywhere.door.address, everywhere.door.join_address) == ("http://localhost:0/", "http://192.168.1.9:0")
    monkeypatch.setattr("companion.web.transport.server._own_address", lambda _: None)
    assert page.door.join_address is None
