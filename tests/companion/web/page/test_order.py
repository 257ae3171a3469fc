"""Test answers in another order than their requests: the newer state and people's input stay on the page."""

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
  const { createStore, emptyState, listen } = await import("/static/js/store.js");
  const store = createStore({ ...emptyState(), link: "open", me: { can_touch: true } });
"""


@pytest.fixture
def run(visit: Callable[..., Page], table: Any) -> Callable[[str], Any]:
    """A function that runs a script at the page's origin, without the page, and returns its result."""
    page = visit(f"{table.url}/api/me")
    return lambda script: page.evaluate(f"async () => {{ {_SERVER} {_STORE} {script} }}")


def test_what_an_older_command_led_to_is_not_said_over_the_newer_one_and_a_question_is_answered_once(
    run: Callable[[str], Any],
) -> None:
    said = run("""
      const { commandsFor } = await import("/static/js/commands.js");
      const commands = commandsFor(store, "unreachable");
      commands.press("confirm");
      commands.circle("place", {});
      await waiting[1].answer({ ok: true, says: "new" });
      await waiting[0].answer({ ok: true, says: "old" });
      const { said } = store.get();
      commands.press("confirm");
      commands.press("undo");
      await waiting[2].answer({ ok: true });
      return [said.text, store.get().busy];
    """)
    assert said == ["new", "undo"]

    # A question is answered once, and again if that was refused.
    posts = run("""
      const { commandsFor } = await import("/static/js/commands.js");
      const { answer } = commandsFor(store, "unreachable");
      store.set({ snapshot: { number: 1 } });
      answer(0);
      answer(0);
      await waiting[0].answer({ ok: true });
      answer(0);
      const [once] = [waiting.length];
      store.set({ snapshot: { number: 2 } });
      answer(1);
      await waiting[1].answer({ ok: false, error: "refused" }, 409);
      answer(2);
      return [once, ...waiting.map(({ body }) => body.option)];
    """)
    assert posts == [1, 0, 1, 2]


def test_the_virtual_table_of_the_game_on_the_page_and_what_is_in_hand_and_set_there_stay(
    run: Callable[[str], Any],
) -> None:
    # The table of the game on the page takes the place of the one before, another game’s does not.
    lie = run("""
      let source;
      window.EventSource = class extends EventTarget { constructor() { super(); source = this; } close() {} };
      listen(store, "/api/events");
      const hear = (topic, data) => source.dispatchEvent(new MessageEvent(topic, { data: JSON.stringify(data) }));
      const lies = () => [store.get().virtual.game, store.get().virtual.at];
      hear("snapshot", { game: { name: "kvilt" }, strip: { pixels: [] } });
      hear("virtual", { game: "patchwork", at: 1 });
      hear("virtual", { game: "kvilt", at: 2 });
      const mine = lies();
      // Another one is laid, for which the page is about to begin anew.
      hear("virtual", { game: "patchwork", at: 3 });
      return [mine, lies()];
    """)
    assert lie == [["kvilt", 2], ["kvilt", 2]]

    # The next piece stays in hand when the table answers of the one before.
    held = run("""
      const { Hand } = await import("/static/js/patchwork/virtual/hand.js");
      const answers = [];
      const asked = () => new Promise((go) => answers.push(go));
      const hand = new Hand(store.get, { lay: asked, move: asked, lift: asked, token: asked });
      const told = [];
      for (const refused of ["", "Something lies there."]) {
        hand.take({ patch: "domino", lying: null });
        hand.lay();
        hand.take({ patch: "plus", lying: null });
        answers.pop()(refused);
        await turn();
        told.push([hand.held.patch, hand.held.refused, hand.held.sending]);
      }
      hand.lay();
      answers.pop()("");
      await turn();
      return [...told, hand.held];
    """)
    assert held == [["plus", "", False], ["plus", "", False], None]

    # A token that cannot be laid elsewhere stays in hand, and a scrolling finger drops nothing.
    moves = run("""
      const { Hand } = await import("/static/js/patchwork/virtual/hand.js");
      const { Pointing } = await import("/static/js/patchwork/virtual/pointing.js");
      const moves = [];
      const refusals = { token: ["Something lies there.", ""], lift: ["", "There is no such piece."] };
      const made = (what) => async (...where) => (moves.push([what, ...where]), refusals[what].shift());
      const hand = new Hand(store.get, { lift: made("lift"), token: made("token") });
      hand.take({ patch: "token", lying: { piece: 7, seat: 1, x: 2, y: 3, angle: 0, flipped: false } });
      await hand.lay();
      const refused = hand.held.refused;
      const scrolling = { drag: { id: 1, moved: false }, hide() {}, hand };
      Pointing.prototype.cancel.call(scrolling, { pointerId: 1 });
      await hand.lay();
      return [refused, moves.map(([what]) => what), hand.held];
    """)
    assert moves == ["Something lies there.", ["lift", "token", "token"], None]

    # What is set last is sent last and not set back before it is answered.
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


def test_a_stroke_stays_until_the_table_tells_of_it_and_the_newest_on_a_region_holds(run: Callable[[str], Any]) -> None:
    marks = run("""
      const { Brush } = await import("/static/js/kvilt/virtual/brush.js");
      const lies = (marks) => store.set({ virtual: { game: "kvilt", sheets: [{ seat: 1, marks }] } });
      const told = [];
      lies({});
      const brush = new Brush(store, "unreachable");
      brush.take("red");
      brush.stroke(1, "p1");
      await turn();
      await waiting[0].answer({ ok: true });
      told.push(brush.marks(1));
      lies({ p1: "red" });
      told.push(brush.marks(1));
      // Somebody else rubs it out.
      lies({});
      told.push(brush.marks(1));
      // The event may come before the answer, too.
      brush.stroke(1, "p2");
      await turn();
      lies({ p2: "red" });
      await waiting[1].answer({ ok: true });
      lies({});
      told.push(brush.marks(1));
      return told;
    """)
    assert marks == [{"p1": "red"}, {"p1": "red"}, {}, {}]

    # The newest stroke on a region holds, whatever the one before comes to.
    marks = run("""
      const { Brush } = await import("/static/js/kvilt/virtual/brush.js");
      store.set({ virtual: { game: "kvilt", sheets: [{ seat: 1, marks: {} }] } });
      const brush = new Brush(store, "unreachable");
      brush.take("red");
      brush.stroke(1, "p1");
      brush.take("blue");
      brush.stroke(1, "p1");
      await turn();
      await waiting[0].answer({ ok: false, error: "It is coloured already." }, 409);
      const meanwhile = [brush.marks(1), brush.paint.says];
      await waiting[1].answer({ ok: false, error: "It is coloured already." }, 409);
      return [meanwhile, brush.marks(1)];
    """)
    assert marks == [[{"p1": "blue"}, "It is coloured already."], {}]


def test_of_two_voices_the_one_chosen_last_stays_chosen(run: Callable[[str], Any]) -> None:
    chosen = run("""
      const { voiceChoice } = await import("/static/js/signals/spoken.js");
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


_SHEET: Final = """
  const { Work } = await import("/static/js/defining/work.js");
  const usual = { ok: true, corners: [[0, 0]], flat: 1, missing: [], saved: false };
  const view = (changes) => ({ ...usual, sheet: { page: { width: 210 } }, ...changes });
  const work = new Work({ language: { code: "en" }, say: String }, view({}));
"""


def test_what_is_entered_dragged_or_drawn_on_a_sheet_stays_after_the_answer_of_an_earlier_command(
    run: Callable[[str], Any],
) -> None:
    # What is entered goes before a command and stays after it.
    told = run(
        _SHEET
        + """
      work.sheet.page.width = 148;
      work.changed();
      work.send("/api/define/turn", {});
      await turn();
      const first = waiting.map(({ path }) => path);
      work.sheet.page.width = 150;
      work.changed();
      await waiting[0].answer(view({ flat: 2 }));
      await waiting[1].answer(view({ flat: 3 }));
      return [first, waiting[0].body.sheet.page.width, waiting[1].path, work.sheet.page.width, work.view.flat];
    """
    )
    assert told == [["/api/define/sheet"], 148, "/api/define/turn", 150, 3]

    # Corners that are being dragged are not put back.
    corners = run(
        _SHEET
        + """
      const { Corners } = await import("/static/js/defining/steps/corners.js");
      const step = new Corners({ work, say: String, redraw() {} });
      work.view.photo = [100, 100];
      const pull = (point) => step.items()[0].pull(0, point);
      pull([1, 1]);
      step.dropped();
      await turn();
      const held = step.items()[0];
      held.pull(0, [2, 2]);
      await waiting[0].answer(view({ corners: [[1, 1]], photo: [100, 100] }));
      const meanwhile = work.view.corners;
      held.pull(0, [3, 3]);
      step.dropped();
      await turn();
      return [meanwhile, waiting[1].body.corners];
    """
    )
    assert corners == [[[2, 2]], [[3, 3]]]

    # Pictures that were found for other cells are left, and those drawn meanwhile stay.
    rows = run("""
      const { Pictures } = await import("/static/js/defining/steps/pictures.js");
      const row = { cell: [[0, 0, 1, 1], [1, 0, 1, 1]], picture_outline: [null, null] };
      const work = { sheet: { quilt: { row: [row] } }, changed() {} };
      const step = new Pictures({ work, page: { language: { code: "en" }, say: String }, say: String });
      step.find();
      row.picture_outline[1] = [[9, 9]];
      await waiting[0].answer({ ok: true, outlines: [[[1, 1]], [[2, 2]]] });
      const found = structuredClone(row.picture_outline);
      step.find();
      row.cell.pop();
      row.picture_outline = [null];
      await waiting[1].answer({ ok: true, outlines: [[[3, 3]], [[4, 4]]] });
      return [found, row.picture_outline];
    """)
    assert rows == [[[[1, 1]], [[9, 9]]], [None]]


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
      const kvilt = { seats: [2, 3], bags: ["virtual"], variants: [], next };
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
