"""The demo: simulated players under the camera, for people who watch."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.companion.web.page.scenes import scene

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.companion.web.page.feeding import FeedingServer


def in_room(shown: str) -> dict[str, Any]:
    """Return the snapshot of a scene in the demo's room; at its end no table plays any more."""
    return scene(shown) | {"room": "demo", "over": shown == "end"}


@pytest.fixture
def watch(table: FeedingServer, open_page: Callable[..., Page]) -> Callable[[str], Page]:
    """A function that opens the demo's room on a scene."""
    table.json["/api/me"] = {
        "ok": True,
        "can_touch": True,
        "can_see_camera": True,
        "simulated": True,
        "virtual": False,
        "home": True,
        "tempo": {"speed": 1, "paused": False},
        "version": "0",
    }
    table.json["/api/home"] = {
        "ok": True,
        "room": "demo",
        "fault": "",
        "entries": [],
        "last": None,
        "begins_in_s": None,
    }

    def opened(shown: str) -> Page:
        page = open_page(in_room(shown), alone=True)
        expect(page.locator(".demo-camera canvas")).to_be_visible()
        return page

    return opened


def test_the_demo_pauses_goes_on_and_plays_faster(watch: Callable[[str], Page], table: FeedingServer) -> None:
    page = watch("middle")
    expect(page.locator(".demo-who")).to_contain_text("Simulated players")
    expect(page.locator("#controls")).to_be_hidden()
    pause = page.locator("[data-key=pause]")
    pause.click()
    assert table.nth_post(1) == ("/api/tempo", {"speed": 1, "paused": True})
    expect(pause).to_have_text("Play")
    pause.click()
    assert table.nth_post(2) == ("/api/tempo", {"speed": 1, "paused": False})
    page.locator("[data-key=speed-2]").click()
    assert table.nth_post(3) == ("/api/tempo", {"speed": 2, "paused": False})
    expect(page.locator("[data-key=speed-2]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-key=speed-1]")).to_have_attribute("aria-pressed", "false")


def test_a_slip_is_explained_to_who_watches(watch: Callable[[str], Page], table: FeedingServer) -> None:
    page = watch("complaint")
    expect(page.locator(".demo-who")).to_contain_text("A slip, as people make them")
    expect(page.locator("[data-key=insist]")).to_have_count(0)
    table.show(in_room("middle"))
    expect(page.locator(".demo-who")).to_contain_text("Simulated players")


def test_at_its_end_the_demo_leads_to_play_here(watch: Callable[[str], Page], table: FeedingServer) -> None:
    page = watch("end")
    expect(page.locator(".demo-tempo")).to_be_hidden()
    expect(page.locator("#banner")).to_be_hidden()
    page.locator("[data-key=now-you]").click()
    assert table.post("/api/home/choose")[1]["entry"] == "here"
