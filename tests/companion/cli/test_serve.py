"""`companion serve` over a folder of pictures, and as the service manager sees it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import cv2
import pytest

from companion.bootstrap import TABLE_NAME, Host
from companion.bootstrap.arrangement import Arrangement, Circle
from companion.bootstrap.clearing import Clearing
from companion.bootstrap.evening import PlayedEvening
from companion.bootstrap.host import leave
from companion.bootstrap.keeping import ProfileGoneError
from companion.bootstrap.kvilt import KviltTranscript, PlayedKvilt, kvilt_history
from companion.bootstrap.kviltarrangement import KviltArrangement
from companion.bootstrap.real import Devices
from companion.cli.serve import EXIT_CONFIGURATION, Service
from companion.config import CameraConfig, Config, ControlsConfig
from companion.errors import CompanionError
from companion.events import GameOpened
from companion.games.patchwork import Setup
from companion.journal import JOURNAL_NAME, Journal
from companion.notify import Notifier
from hardware.ports import CameraError
from hardware.simulated.clock import SimulatedClock
from hardware.simulated.evening import SimulatedEvening

if TYPE_CHECKING:
    from companion.games.kvilt import Layout
    from companion.games.kvilt import Setup as KviltSetup

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
    with Journal(tmp_path / "data" / JOURNAL_NAME) as journal:
        assert journal.unfinished(TABLE_NAME) is not None


@pytest.mark.parametrize("text", ["[camera\n", '[camera]\ndriver = "simulated"\n'])
def test_a_configuration_that_cannot_be_used_is_one_line_and_a_status_of_its_own(
    run: Run, tmp_path: Path, text: str
) -> None:
    config = tmp_path / "companion.toml"
    config.write_text(text)
    status, out, err = run("serve", "--config", config, "--data", tmp_path / "data")
    assert (status, out) == (EXIT_CONFIGURATION, "")
    assert err.count("\n") == 1


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    times: list[str] = []
    monkeypatch.setattr("companion.cli.serve.await_start", lambda *_: times.append("begun"))
    return times


@pytest.fixture
def service(tmp_path: Path, begun: list[str]) -> Service:
    assert begun == []
    clock = SimulatedClock()
    devices = Devices(clock, *(lambda *_: None,) * 3)  # type: ignore[arg-type]
    config = replace(Config(), camera=CameraConfig("webcam"), controls=ControlsConfig("gpio"))
    return Service(config, devices, Journal(tmp_path / JOURNAL_NAME), None, Notifier({}, clock.now))


def test_a_new_game_waits_to_be_begun_and_one_that_was_cut_off_goes_on(
    service: Service, begun: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[int | None] = []

    def play(*arguments: Any, **_: Any) -> PlayedEvening:
        played.append(arguments[4])
        return PlayedEvening(None, None)  # type: ignore[arg-type]

    monkeypatch.setattr("companion.cli.serve.play_table", play)
    assert service.evening()
    assert begun == ["begun"]
    number = service.journal.new_game(Setup(players=("Anna", "Boris")), TABLE_NAME)
    assert service.evening()
    assert begun == ["begun"]
    assert played == [None, number]


def test_a_device_that_is_missing_is_tried_again(
    service: Service, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_camera(*_: object, **__: object) -> PlayedEvening:
        raise CameraError("there is no camera")

    monkeypatch.setattr("companion.cli.serve.play_table", no_camera)
    assert service.evening()
    assert service.evening()
    assert service.devices.clock.now() == pytest.approx(3.0, abs=0.3)
    assert capsys.readouterr().out == "there is no camera. It is tried again.\n"


class Shown:
    """A page that keeps what it shows of a table without a game."""

    def __init__(self) -> None:
        self.attached, self.shown = SimpleNamespace(controls=None), list[str]()

    def remember(self, _: object) -> None: ...

    strip = __call__ = remember

    def await_game(self, says: str) -> None:
        self.shown.append(says)


def test_the_page_says_what_the_table_waits_for_and_what_is_missing(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Shown()
    service.page = page  # type: ignore[assignment]
    missing = [CameraError("there is no camera")]

    def begin(_devices: object, _strip: object, _controls: object, say: Callable[[str], None], *_: object) -> None:
        say("Press confirm.")

    def play(*_: object, **__: object) -> PlayedEvening:
        if missing:
            raise missing.pop()
        return PlayedEvening(None, None)  # type: ignore[arg-type]

    monkeypatch.setattr("companion.cli.serve.await_start", begin)
    monkeypatch.setattr("companion.cli.serve.play_table", play)
    for _ in range(3):
        service.evening()
    fault = "there is no camera. It is tried again."
    assert page.shown == ["Press confirm.", fault, f"{fault} Press confirm.", "Press confirm."]


def test_a_game_whose_empty_boards_nobody_knows_any_more_is_left_for_a_new_one(
    service: Service, begun: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    number = service.journal.new_game(Setup(players=("Anna", "Boris")), TABLE_NAME)
    played: list[int | None] = []

    def play(*arguments: Any, **_: Any) -> PlayedEvening:
        played.append(arguments[4])
        if arguments[4] == number:
            raise ProfileGoneError("1.npz: is damaged; begin anew with --new")
        return PlayedEvening(None, None)  # type: ignore[arg-type]

    monkeypatch.setattr("companion.cli.serve.play_table", play)
    assert service.evening()
    assert service.evening()
    assert (played, begun) == ([number, None], ["begun"])
    assert capsys.readouterr().out == "1.npz: is damaged. Game 1 cannot be gone on with, and is left.\n"


@pytest.mark.parametrize(
    ("controls", "hands_free", "camera", "awaits", "clears"),
    [
        ("gpio", True, "webcam", True, False),
        ("none", True, "webcam", True, True),
        ("none", False, "webcam", False, False),
        ("none", True, "folder", False, False),
    ],
)
def test_where_nobody_has_a_button_empty_boards_begin_the_game(
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
    monkeypatch.setattr("companion.cli.serve.play_table", lambda *_, **__: PlayedEvening(None, None))  # type: ignore[arg-type]
    reading = replace(Config().reading, hands_free=hands_free)
    folder = Path("pictures") if camera == "folder" else None
    service.config = replace(
        service.config, reading=reading, controls=ControlsConfig(controls), camera=CameraConfig(camera, path=folder)
    )
    service.evening()
    assert [isinstance(each, Clearing) for each in awaited] == ([clears] if awaits else [])


def test_a_game_wished_for_on_the_page_is_played_as_it_was_wished_for(
    service: Service, begun: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    played: list[tuple[str, str]] = []

    def play(config: Config, *_: Any, **__: Any) -> PlayedEvening:
        played.append(config.game.players)
        if config.game.players[0] == "Nobody":
            raise CompanionError("nobody plays")
        return PlayedEvening(None, None)  # type: ignore[arg-type]

    monkeypatch.setattr("companion.cli.serve.play_table", play)
    service.host = Host(service.config, TABLE_NAME, Circle.UNKNOWN, by_hand=False)
    service.host.begin(Arrangement(("Clara", "Dmitri")))
    assert service.evening()
    refused = service.host.begin(Arrangement(("Nobody", "Dmitri")))
    assert service.evening(), "with no game before it, too, the next wish is waited for"
    assert capsys.readouterr().out == "nobody plays.\n"
    with pytest.raises(CompanionError, match="nobody plays"):
        refused.result(0)
    service.host.begin(Arrangement(("Erik", "Dmitri")))
    assert service.evening()
    assert played == [("Clara", "Dmitri"), ("Nobody", "Dmitri"), ("Erik", "Dmitri")]
    assert begun == []


def test_kvilt_is_begun_on_the_page_goes_on_when_it_was_cut_off_and_is_what_the_next_press_begins(
    service: Service, begun: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[tuple[KviltSetup, bool, int | None]] = []

    def play(
        config: Config, setup: KviltSetup, layout: Layout, book: Journal, *,
        real_bag: bool, game_id: int | None, listeners: Sequence[Any], devices: Devices, **_: Any,
    ) -> PlayedKvilt:  # fmt: skip
        played.append((setup, real_bag, game_id))
        assert (layout.sheet, config.kvilt.players) == (setup.sheet.id, service.config.kvilt.players)
        number = book.new_game(setup, TABLE_NAME) if game_id is None else game_id
        assert devices is sheets
        history = kvilt_history(book, number)
        listeners[-1](GameOpened(number, history.state, 0))
        return PlayedKvilt(history, KviltTranscript())

    sheets, boards = replace(service.devices), service.devices
    service.renew = lambda *given: sheets if given[-1] == "kvilt" else boards
    monkeypatch.setattr("companion.cli.serve.play_kvilt", play)
    service.host = Host(service.config, TABLE_NAME, Circle.UNKNOWN, by_hand=False)
    service.host.begin(KviltArrangement(service.config.kvilt.players, 2, "real"))
    assert service.evening()
    assert service.evening(), "it was cut off"
    leave(service.journal, 1)
    assert begun == []
    assert service.evening(), "somebody presses confirm"
    assert begun == ["begun"]
    assert [(setup.first_seat, real, game_id) for setup, real, game_id in played] == [
        (2, True, None), (2, False, 1), (1, False, None),
    ]  # fmt: skip


def test_a_game_of_kvilt_on_a_sheet_that_nobody_knows_is_left_for_a_new_one(
    service: Service, begun: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    setup = service.config.kvilt.setup()
    number = service.journal.new_game(replace(setup, sheet=replace(setup.sheet, id="mine")), TABLE_NAME)
    monkeypatch.setattr("companion.cli.serve.play_table", lambda *_, **__: PlayedEvening(None, None))  # type: ignore[arg-type]
    assert service.evening()
    assert service.evening()
    assert begun == ["begun"]
    assert service.journal.notes(number)["left"] == "yes"
    assert capsys.readouterr().out == (
        "This game is played on the sheet mine: name its file in [kvilt] sheet. "
        "Game 1 cannot be gone on with, and is left.\n"
    )


def test_a_game_that_nobody_wished_for_and_that_cannot_be_played_ends_the_service(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(*_: Any, **__: Any) -> PlayedEvening:
        raise CompanionError("nobody plays")

    monkeypatch.setattr("companion.cli.serve.play_table", play)
    service.host = Host(service.config, TABLE_NAME, Circle.UNKNOWN, by_hand=False)
    with pytest.raises(CompanionError, match="nobody plays"):
        service.evening()


def test_a_table_calibrated_on_the_page_holds_for_the_next_game(
    service: Service, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    renewed: list[Path | None] = []
    used: list[object] = []

    def renew(config: Config, notifier: Notifier, game: str) -> Devices:
        assert (notifier, game) == (service.notifier, "patchwork")
        renewed.append(config.table.calibration)
        return replace(service.devices)

    def play(*_: Any, devices: Devices, **__: Any) -> PlayedEvening:
        used.append(devices)
        return PlayedEvening(None, None)  # type: ignore[arg-type]

    monkeypatch.setattr("companion.cli.serve.play_table", play)
    path = tmp_path / "calibrations" / "table.toml"
    service.renew = renew
    service.host = Host(service.config, TABLE_NAME, Circle.UNKNOWN, by_hand=False, calibration=path)
    first = service.devices
    service.evening()
    service.host.calibrated()
    service.evening()
    assert renewed == [None, None, path, path], "for the wait, and for the game"
    assert used[1] is service.devices
    assert all(each is not first for each in used)
