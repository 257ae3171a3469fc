"""`companion serve` over a folder of pictures, and as the service manager sees it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import cv2
import msgspec
import pytest

from companion.cli.serve import EXIT_CONFIGURATION, Service
from companion.compose.playing import RealTable
from companion.compose.playing import play as play_game
from companion.config import Config
from companion.config.broker import Broker, MqttConfig
from companion.errors import CompanionError
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, TABLE_NAME, Journal, table_lock
from companion.kvilt.game import KVILT
from companion.kvilt.settings import KviltArrangement, KviltSettings
from companion.mqtt.link import Arrived
from companion.mqtt.messages import FriendMessage, FriendTopics
from companion.patchwork.arrangement import PatchworkArrangement, dealt_market
from companion.patchwork.game import PATCHWORK
from companion.patchwork.settings import PatchworkSettings
from companion.patchwork.watching.clearing import BoardClearing
from companion.patchwork.watching.profiles import ProfileGoneError
from companion.play.friend import Friend, FriendStatus
from companion.play.host import Host, leave, replayed_history
from companion.play.inbox import Inbox
from companion.play.session import DeviceFactory, GameResult
from companion.registry import codecs, games
from companion.upkeep.service import Notifier
from hardware.driver import CameraDriver, ControlsDriver
from hardware.drivers.gpio import GpioDriver
from hardware.drivers.webcam import WebcamDriver
from hardware.ports import CameraError
from hardware.simulated.devices import SimulatedClock
from hardware.simulated.evening import SimulatedEvening
from tests.companion.journal.conftest import unfinished
from tests.companion.mqtt.standin import StandInBroker

if TYPE_CHECKING:
    from companion.compose.playing import Devices
    from companion.games.kvilt.state import Setup as KviltSetup
    from companion.play.host import NextGame
    from companion.play.session import Participants

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def handlers(monkeypatch: pytest.MonkeyPatch) -> dict[int, Any]:
    kept: dict[int, Any] = {}
    monkeypatch.setattr("companion.cli.serve.signal.signal", kept.__setitem__)
    return kept


@pytest.mark.usefixtures("handlers")
def test_a_folder_of_pictures_is_one_evening(run: Run, tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    camera = SimulatedEvening(3).camera
    for number in range(3):
        cv2.imwrite(str(pictures / f"{number}.jpg"), camera.capture().image)
    config = tmp_path / "companion.toml"
    config.write_text(
        f'[camera]\ndriver = "folder"\npath = "{pictures}"\nfps = 60\n[controls]\ndriver = "none"\n'
        '[strip]\ndriver = "none"\n[page]\nenabled = false\n'
    )
    status, out, err = run("serve", "--config", config, "--data", tmp_path / "data")
    assert (status, err) == (0, "")
    assert "Anna" in out
    with Journal(tmp_path / "data" / JOURNAL_NAME, codecs()) as journal:
        assert unfinished(journal, TABLE_NAME) is not None


@pytest.mark.parametrize("text", ["[camera\n", '[camera]\ndriver = "simulated"\n'])
def test_a_configuration_that_cannot_be_used_is_one_line_and_a_status_of_its_own(
    run: Run, tmp_path: Path, text: str
) -> None:
    config = tmp_path / "companion.toml"
    config.write_text(text)
    status, out, err = run("serve", "--config", config, "--data", tmp_path / "data")
    assert (status, out) == (EXIT_CONFIGURATION, "")
    assert err.count("\n") == 1


@pytest.mark.usefixtures("handlers")
@pytest.mark.parametrize("command", ["serve", "play"])
def test_a_second_companion_at_the_table_opens_no_page(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    config = tmp_path / "companion.toml"
    config.write_text('[camera]\ndriver = "webcam"\n[controls]\ndriver = "none"\n[strip]\ndriver = "none"\n')
    monkeypatch.setattr(f"companion.cli.{command}.page_of", lambda *_, **__: pytest.fail("a page was opened"))
    monkeypatch.setattr("companion.cli.play.signal.signal", lambda *_: None)
    with table_lock(tmp_path / "data", TABLE_NAME):
        status, out, err = run(command, "--config", config, "--data", tmp_path / "data")
    assert (status, out) == (2, "")
    assert err.startswith("companion: another companion is playing at the table ")
    assert err.count("\n") == 1


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    times: list[str] = []
    monkeypatch.setattr("companion.cli.serve.await_start", lambda *_: times.append("begun"))
    return times


@pytest.fixture
def service(tmp_path: Path, begun: list[str]) -> Iterator[Service]:
    assert begun == []
    clock = SimulatedClock()
    openers = DeviceFactory(clock, *(lambda *_: None,) * 3)  # type: ignore[arg-type]
    config = replace(Config(), camera=WebcamDriver(), controls=GpioDriver())
    host = Host(config, TABLE_NAME, PATCHWORK, games(), by_hand=False)
    with Journal(tmp_path / JOURNAL_NAME, codecs()) as journal:
        yield Service(config, openers, journal, None, Notifier({}, clock.now), host)


def _played(sitting: NextGame, book: Journal) -> GameResult:
    """Return the result of an evening whose game was begun and has no further decisions."""
    setup = sitting.game.setup(sitting.config)
    notes = sitting.game.first_notes(setup, Config(), 1)
    number = sitting.game_id or book.new_game(setup, TABLE_NAME, notes)
    return GameResult(sitting.game.codec, replayed_history(sitting.game, book, number), sitting.game.transcript())


NOTHING = GameResult(PATCHWORK.codec, History(Setup(players=("Anna", "Boris"))), PATCHWORK.transcript())
"""The result of an evening whose game is not stored."""


def test_a_new_game_waits_to_be_begun_and_one_that_was_cut_off_goes_on(
    service: Service, begun: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[int | None] = []

    def play(sitting: NextGame, *_: object) -> GameResult:
        played.append(sitting.game_id)
        return NOTHING

    monkeypatch.setattr("companion.cli.serve.play", play)
    assert service.play_next()
    assert begun == ["begun"]
    number = service.journal.new_game(Setup(players=("Anna", "Boris")), TABLE_NAME)
    assert service.play_next()
    assert begun == ["begun"]
    assert played == [None, number]


def test_a_device_that_is_missing_is_tried_again(
    service: Service, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_camera(*_: object) -> GameResult:
        raise CameraError("there is no camera")

    monkeypatch.setattr("companion.cli.serve.play", no_camera)
    assert service.play_next()
    assert service.play_next()
    assert service.factory.clock.now() == pytest.approx(3.0, abs=0.3)
    assert capsys.readouterr().out == "there is no camera. Trying again.\n"


class Shown:
    """A fake page that records what it shows for a table without a game."""

    def __init__(self) -> None:
        self.remote, self.shown = SimpleNamespace(inbox=None), list[str]()
        self.friends: list[FriendStatus] = []

    def strip(self, _: object) -> None: ...

    __call__ = strip

    def await_game(self, says: str, friend: FriendStatus | None = None) -> None:
        self.shown.append(says)
        self.friends += [] if friend is None else [friend]


def test_the_page_says_what_the_table_waits_for_and_what_is_missing(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Shown()
    service.page = page  # type: ignore[assignment]
    missing = [CameraError("there is no camera")]

    def begin(_devices: object, _strip: object, _inbox: object, say: Callable[[str], None], *_: object) -> None:
        say("Press confirm.")

    def play(*_: object) -> GameResult:
        if missing:
            raise missing.pop()
        return NOTHING

    monkeypatch.setattr("companion.cli.serve.await_start", begin)
    monkeypatch.setattr("companion.cli.serve.play", play)
    for _ in range(3):
        service.play_next()
    fault = "there is no camera. Trying again."
    assert page.shown == ["Press confirm.", fault, f"{fault} Press confirm.", "Press confirm."]


def test_a_friend_is_awaited_with_the_code_on_the_page_until_the_other_table_is_there(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    broker, page, played = StandInBroker(), Shown(), list[tuple[str, ...]]()
    monkeypatch.setattr("companion.cli.friend.linked", lambda _, hello, notify: broker.connect(hello, notify))
    service.page = page  # type: ignore[assignment]
    service.config = replace(service.config, mqtt=MqttConfig(Broker("127.0.0.1", 1, tls=False)))

    def arrive() -> None:
        """Let the other table come while the watchdog is told that this one waits."""
        if broker.links:
            setup = PATCHWORK.codec.setup_to_json(Setup(market=dealt_market(1)))
            theirs = FriendMessage(page.friends[0].code, 2, "Boris", setup)
            topic = FriendTopics("quilt-companion", page.friends[0].code).log(2)
            broker.links[0].notify(Arrived(topic, msgspec.json.encode(theirs), retained=True))

    def play(sitting: NextGame, *_: object) -> GameResult:
        played.append(sitting.config.of(PatchworkSettings).players)
        return NOTHING

    service.notifier = SimpleNamespace(alive=arrive)  # type: ignore[assignment]
    monkeypatch.setattr("companion.cli.serve.play", play)
    request = service.host.begin(PatchworkArrangement(("Anna", "Friend"), friend=Friend(2)))
    service.play_next()
    # The page is answered before the friend is there.
    assert request.done()
    assert page.friends[0].shown_code in page.shown[0]
    assert page.shown[1:] == ["Boris is there."]
    assert played == [("Anna", "Boris")]


def test_a_game_whose_empty_boards_nobody_knows_any_more_is_left_for_a_new_one(
    service: Service, begun: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    number = service.journal.new_game(Setup(players=("Anna", "Boris")), TABLE_NAME)
    played: list[int | None] = []

    def play(sitting: NextGame, *_: object) -> GameResult:
        played.append(sitting.game_id)
        if sitting.game_id == number:
            raise ProfileGoneError("1.npz: is damaged; start again with --new")
        return NOTHING

    monkeypatch.setattr("companion.cli.serve.play", play)
    assert service.play_next()
    assert service.play_next()
    assert (played, begun) == ([number, None], ["begun"])
    assert capsys.readouterr().out == (
        "1.npz: is damaged. Game 1 cannot be resumed and is set aside. To resume it anyway, take the patches "
        "off, calibrate the table on the page, put the patches back as the page shows them, and choose the game in "
        "the list.\n"
    )


def test_the_score_sheet_that_was_due_when_the_service_was_killed_is_shown_once(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    service.show_unshown_sheet()
    history, rng = History(Setup(players=("Anna", "Boris"), market=dealt_market(3))), random.Random(3)
    number = service.journal.new_game(history.state.setup, TABLE_NAME)
    while not history.state.finished:
        history.apply(legal_decisions(history.state).pick(rng))
        service.journal.append(number, len(history.decisions), history.decisions[-1])
        if not history.state.finished:
            service.show_unshown_sheet()
    assert capsys.readouterr().out == ""
    service.show_unshown_sheet()
    said, *sheet = capsys.readouterr().out.splitlines()
    assert said.startswith("game 1 was finished, but its score sheet had not been shown yet. ")
    assert PATCHWORK.whose_turn(history.state) in said, "the page says who has won"
    assert any("Anna" in line and "Boris" in line for line in sheet)
    service.show_unshown_sheet()
    assert capsys.readouterr().out == ""


def test_the_sheet_of_a_game_that_was_seen_to_its_end_is_not_due(
    service: Service, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    history, rng = History(Setup(players=("Anna", "Boris"), market=dealt_market(3))), random.Random(3)

    def play(sitting: NextGame, _: Devices, book: Journal, *__: object) -> GameResult:
        number = book.new_game(history.state.setup, TABLE_NAME)
        while not history.state.finished:
            history.apply(legal_decisions(history.state).pick(rng))
            book.append(number, len(history.decisions), history.decisions[-1])
        return GameResult(sitting.game.codec, history, sitting.game.transcript())

    monkeypatch.setattr("companion.cli.serve.play", play)
    service.play_next()
    service.show_unshown_sheet()
    assert "score sheet" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("controls", "hands_free", "camera", "awaits", "clears"),
    [
        ("gpio", True, "webcam", True, False),
        ("none", True, "webcam", True, True),
        ("none", False, "webcam", False, False),
        ("none", True, "folder", False, False),
    ],
)
def test_empty_boards_begin_the_game_at_a_table_without_buttons(
    service: Service,
    monkeypatch: pytest.MonkeyPatch,
    controls: str,
    hands_free: bool,
    camera: str,
    awaits: bool,
    clears: bool,
) -> None:
    awaited: list[Any] = []
    monkeypatch.setattr("companion.cli.serve.await_start", lambda *given: awaited.append(given[-1]))
    monkeypatch.setattr("companion.cli.serve.play", lambda *_: NOTHING)
    reading = replace(Config().reading, hands_free=hands_free)
    service.config = replace(
        service.config,
        reading=reading,
        controls=ControlsDriver.of({"driver": controls}),
        camera=CameraDriver.of({"driver": camera, "path": "pictures"}),
    )
    service.host = Host(service.config, TABLE_NAME, PATCHWORK, games(), by_hand=False)
    service.play_next()
    assert [isinstance(each, BoardClearing) for each in awaited] == ([clears] if awaits else [])


def test_a_game_wished_for_on_the_page_is_played_as_it_was_wished_for(
    service: Service, begun: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    played: list[tuple[str, str]] = []

    def play(sitting: NextGame, *_: object) -> GameResult:
        players = sitting.config.of(PatchworkSettings).players
        played.append(players)
        if players[0] == "Nobody":
            raise CompanionError("nobody plays")
        return NOTHING

    monkeypatch.setattr("companion.cli.serve.play", play)
    service.host.begin(PatchworkArrangement(("Clara", "Dmitri")))
    assert service.play_next()
    refused = service.host.begin(PatchworkArrangement(("Nobody", "Dmitri")))
    assert service.play_next(), "with no game before it, too, the next wish is waited for"
    assert capsys.readouterr().out == "nobody plays.\n"
    with pytest.raises(CompanionError, match="nobody plays"):
        refused.result(0)
    service.host.begin(PatchworkArrangement(("Erik", "Dmitri")))
    assert service.play_next()
    assert played == [("Clara", "Dmitri"), ("Nobody", "Dmitri"), ("Erik", "Dmitri")]
    assert begun == []


def test_kvilt_is_begun_on_the_page_goes_on_when_it_was_cut_off_and_is_what_the_next_press_begins(
    service: Service, begun: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[tuple[KviltSetup, str, int | None]] = []

    def play(
        sitting: NextGame, devices: Devices, book: Journal, folder: Path, _company: Participants, host: Host
    ) -> GameResult:
        assert sitting.game is KVILT
        assert isinstance(devices, RealTable)
        assert folder == service.journal.path.parent
        came = _played(sitting, book)
        setup, config = came.history.state.setup, sitting.config
        played.append((setup, config.of(KviltSettings).bag, sitting.game_id))
        assert (config.of(KviltSettings).layout().sheet, config.of(KviltSettings).players) == (
            setup.sheet.id,
            service.config.of(KviltSettings).players,
        )
        host.opened(KVILT, 1, came.history, Inbox())
        return came

    monkeypatch.setattr("companion.cli.serve.play", play)
    service.host.begin(KviltArrangement(service.config.of(KviltSettings).players, 2, "real"))
    assert service.play_next()
    assert service.play_next(), "it was cut off"
    leave(service.journal, 1)
    assert begun == []
    assert service.play_next(), "somebody presses confirm"
    assert begun == ["begun"]
    assert [(setup.first_seat, bag, game_id) for setup, bag, game_id in played] == [
        (2, "real", None), (2, "virtual", 1), (1, "virtual", None),
    ]  # fmt: skip


def test_a_game_of_kvilt_on_a_sheet_that_nobody_knows_is_left_for_a_new_one(
    service: Service, begun: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    setup = service.config.of(KviltSettings).setup()
    number = service.journal.new_game(replace(setup, sheet=replace(setup.sheet, id="mine")), TABLE_NAME)
    device = SimpleNamespace(close=lambda: None)
    service.factory = DeviceFactory(service.factory.clock, *(lambda *_: device,) * 3)  # type: ignore[arg-type]

    def play(sitting: NextGame, *how: Any) -> GameResult:
        return NOTHING if sitting.game_id is None else play_game(sitting, *how)

    monkeypatch.setattr("companion.cli.serve.play", play)
    assert service.play_next()
    assert service.play_next()
    assert begun == ["begun"]
    assert service.journal.notes(number)["left"] == "yes"
    assert capsys.readouterr().out == (
        "This game is played on the sheet mine: set its file in [kvilt] sheet. "
        "Game 1 cannot be resumed and is set aside.\n"
    )


def test_a_game_that_nobody_wished_for_and_that_cannot_be_played_ends_the_service(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(*_: Any, **__: Any) -> GameResult:
        raise CompanionError("nobody plays")

    monkeypatch.setattr("companion.cli.serve.play", play)
    with pytest.raises(CompanionError, match="nobody plays"):
        service.play_next()


def test_a_table_calibrated_on_the_page_holds_for_the_next_game(
    service: Service, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen: list[tuple[str, Path | None]] = []

    def observes(_game: object, config: Config, openers: DeviceFactory) -> DeviceFactory:
        seen.append(("the wait", config.table.calibration))
        return openers

    def play(sitting: NextGame, *_: object) -> GameResult:
        seen.append(("the game", sitting.config.table.calibration))
        return NOTHING

    path = tmp_path / "calibrations" / "table.toml"
    monkeypatch.setattr("companion.cli.serve.seen_by", observes)
    monkeypatch.setattr("companion.cli.serve.await_start", lambda *_: None)
    monkeypatch.setattr("companion.cli.serve.play", play)
    service.host = Host(service.config, TABLE_NAME, PATCHWORK, games(), by_hand=False, calibration=path)
    service.play_next()
    service.host.apply_calibration()
    service.play_next()
    assert seen == [("the wait", None), ("the game", None), ("the wait", path), ("the game", path)]


def test_pictures_are_seen_as_the_game_at_the_table_sees_them(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[tuple[str, object]] = []
    monkeypatch.setattr("companion.cli.serve.seen_by", lambda game, *_: looks.append(("seen by", game)))
    monkeypatch.setattr("companion.cli.serve.await_start", lambda *given: looks.append(("says", given[5])))
    monkeypatch.setattr("companion.cli.serve.play", lambda *_: NOTHING)
    for game in (PATCHWORK, KVILT):
        service.host = Host(service.config, TABLE_NAME, game, games(), by_hand=False)
        service.play_next()
    assert looks == [
        ("seen by", PATCHWORK), ("says", PATCHWORK.begin_says), ("seen by", KVILT), ("says", KVILT.begin_says),
    ]  # fmt: skip
