"""Test answers in another order than their requests: the newer state and people's input stay on the page.

What needs no browser is in tests/companion/web/scripts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from tests.companion.web.page.holding import Held
from tests.companion.web.page.test_games import game

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

_SERVER: Final = """
  const waiting = [];
  window.fetch = (path, options) => new Promise((go) => waiting.push({
    path: path.split("?")[0],
    body: JSON.parse(options?.body ?? "null"),
    answer: async (body, status = 200) => (go(new Response(JSON.stringify(body), { status })), await turn()),
  }));
  const turn = async () => { for (const _ of "......") await new Promise((go) => setTimeout(go)); };
"""
"""A server that answers in the order that a test wants: `waiting` holds its requests."""
_STORE: Final = """
  const { createStore, emptyState } = await import("/static/js/store.js");
  const store = createStore({ ...emptyState(), link: "open", me: { can_touch: true } });
"""


@pytest.fixture
def run(visit: Callable[..., Page], table: Any) -> Callable[[str], Any]:
    """A function that runs a script at the page's origin, without the page, and returns its result."""
    page = visit(f"{table.url}/api/me")
    return lambda script: page.evaluate(f"async () => {{ {_SERVER} {_STORE} {script} }}")


def test_the_condition_set_last_is_sent_last_and_stays_until_it_is_answered(run: Callable[[str], Any]) -> None:
    sent = run("""
      const { Seeing } = await import("/static/js/patchwork/virtual/seeing.js");
      const answers = [], sent = [];
      const conditions = (wanted) => new Promise((go) => (sent.push(wanted.exposure), answers.push(go)));
      const names = ["exposure", "gradient", "hard_shadow", "offset_mm", "rotation_deg"];
      const each = (value) => Object.fromEntries(names.map((name) => [name, value]));
      const page = { say: String, state: store.get, view: "board" };
      const seeing = new Seeing(page, { moves: { conditions } }, each([0, 2]));
      store.set({ virtual: { conditions: { ...each(0), arms: true } } });
      const now = Date.now;
      const { input } = seeing.sliders[0];
      for (const value of [1, 2]) {
        input.value = value;
        seeing.send();
      }
      await turn();
      const first = [...sent];
      Date.now = () => now() + 60_000;
      seeing.draw();
      const stays = input.value;
      answers[0]("");
      await turn();
      answers[1]("");
      await turn();
      Date.now = () => now() + 120_000;
      seeing.draw();
      return [first, sent, stays, input.value];
    """)
    assert sent == [[1], [1, 2], "2", "0"]


def test_the_next_picture_to_share_frees_the_memory_of_the_one_before(run: Callable[[str], Any]) -> None:
    addresses, revoked = run("""
      const { sharingView } = await import("/static/js/games/sharing.js");
      const [addresses, revoked] = [[], []];
      URL.revokeObjectURL = (address) => revoked.push(address);
      const parts = { picture: async () => new Blob(["picture"], { type: "image/png" }) };
      const page = { say: String, games: { partsOf: async () => parts } };
      const show = (first) => first.matches("img") && addresses.push(first.src);
      for (const id of [1, 2]) await sharingView({ game: "patchwork", id }, show, page, null);
      return [addresses, revoked];
    """)
    assert len(set(addresses)) == 2
    assert addresses[0] in revoked
    assert addresses[1] not in revoked


def test_of_two_voices_the_one_chosen_last_stays_chosen(run: Callable[[str], Any]) -> None:
    chosen = run("""
      const { voiceChoice } = await import("/static/js/views/menu.js");
      const answers = [];
      const voice = () => new Promise((go) => answers.push(go));
      const room = voiceChoice({ say: String, view: "board", state: store.get, commands: { voice } });
      await turn();
      await waiting[0].answer({ voices: ["espeak", "piper"], chosen: "none" });
      const boxes = [...room.querySelectorAll("input")];
      const choose = (box) => ((box.checked = true), box.dispatchEvent(new Event("change")));
      choose(boxes[1]);
      choose(boxes[2]);
      answers[1]({ ok: true });
      answers[0]({ ok: false });
      await turn();
      const asked = waiting.length;
      choose(boxes[1]);
      answers[2]({ ok: false });
      await turn();
      await waiting[1].answer({ voices: ["espeak", "piper"], chosen: "piper" });
      return [asked, boxes.find((box) => box.checked).value];
    """)
    assert chosen == [1, "piper"]


def test_a_game_is_laid_once_and_a_refusal_is_told_where_the_form_was_drawn_anew(run: Callable[[str], Any]) -> None:
    told = run("""
      const { openSheet } = await import("/static/js/setup/sheet.js");
      const { setUp } = await import("/static/js/kvilt/setup.js");
      const games = { partsOf: async () => ({ setUp: async () => setUp }), titleOf: String };
      const language = { code: "en", digits: String, knows: () => false };
      const page = { say: String, language, games, state: store.get, store };
      openSheet(page);
      const sheets = () => document.querySelectorAll("link").forEach((link) => link.dispatchEvent(new Event("load")));
      sheets();
      const next = { players: ["Anna", "Boris"], first_seat: 1, bag: "virtual", variants: [] };
      const kvilt = { seats: [2, 3], bags: ["virtual"], variants: [], levels: [], next };
      await waiting[0].answer({ ok: true, game: "kvilt", titles: { kvilt: "Kvilt" }, games: [], names: [], kvilt });
      const press = () => document.querySelector("[data-key=begin]").click();
      press();
      document.querySelector("[data-key=seats-3]").click();
      document.querySelector("[data-key=seats-2]").click();
      press();
      await turn();
      const busy = document.querySelectorAll(".setup-busy").length;
      const begun = waiting.length;
      await waiting[1].answer({ ok: false, error: "No camera." }, 409);
      const all = (selector) => [...document.querySelectorAll(selector)];
      const told = [busy, begun, all(".refused")[0].textContent, all(".setup-busy").length];
      press();
      await turn();
      return [...told, waiting.length];
    """)
    assert told == [1, 2, "No camera.", 0, 3]


def test_the_game_that_was_wanted_last_is_shown(
    open_page: Callable[..., Page], table: Any, situation: Callable[[str], dict[str, Any]]
) -> None:
    table.json["/api/games"] = {"ok": True, "games": [game(2), game(1)]}
    for number in (1, 2):
        frames = [{**situation("start")["patchwork"], "number": 0, "says": [f"Game {number}."]}]
        table.json[f"/api/games/{number}/replay"] = {"ok": True, "states": frames}
    page = open_page("middle")
    replays = Held(page, "**/api/games/*/replay")
    page.get_by_role("button", name="Games").click()
    page.locator("[data-key=game-1]").click()
    page.locator("[data-key=game-2]").click()
    replays.release_of("/2/", among=2)
    expect(page.locator(".replay-says")).to_contain_text("Game 2.")
    replays.release()
    expect(page.locator(".replay-says")).to_contain_text("Game 2.")
    replays.end()

    page.get_by_role("button", name="All games").click()
    older = Held(page, "**/api/games?*")
    table.json["/api/games"] = {"ok": True, "games": [game(2), game(1)], "more": True}
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Games").click()
    older.release()
    page.get_by_role("button", name="Older games").click()
    older.wait()
    page.locator("[data-key=game-1]").click()
    expect(page.locator(".replay-says")).to_contain_text("Game 1.")
    older.release()
    expect(page.locator(".replay-says")).to_contain_text("Game 1.")


def test_a_code_that_is_being_typed_stays_when_the_table_says_who_this_is(
    visit: Callable[..., Page], table: Any
) -> None:
    table.can_touch = False
    table.show("start")
    page = visit()
    greeting = Held(page, "**/api/me")
    page.goto(table.url)
    page.locator("#join-code").fill("AB")
    greeting.release()
    expect(page.locator("#game")).to_have_attribute("aria-busy", "false")
    expect(page.locator("#join-code")).to_have_value("AB")
