"""Photographs that people send, up to the scored game that is kept."""

from __future__ import annotations

import errno
import io
import os
import time
from dataclasses import dataclass, field, replace
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest

from companion.config import Config
from companion.errors import CompanionError
from companion.journal import JOURNAL_NAME
from companion.languages import said
from companion.patchwork.page.photographs import PHOTOGRAPHS
from companion.patchwork.photograph.sheet import FinishedReading
from companion.play.photographs import NotFoundError
from companion.web import photographs
from companion.web.photographing import SHOWN, STAGE, Reading
from companion.web.photographs import IDLE_S, PhotographDesk
from tests.companion.patchwork.page.test_photographs import hand, quilt
from tests.companion.web.conftest import ManualClock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.companion.web.conftest import Desk, MakeDesk

BOTH = FinishedReading((quilt(1, 5, ((0, 0),)), quilt(2, 3)), {1: hand(1, 12)}, None)
ALONE = FinishedReading((quilt(1, 2),), {}, None)
JPEG = {"content-type": "image/jpeg"}


@dataclass
class Readings:
    """What the process reads, one after the other, in place of the process."""

    results: list[object] = field(default_factory=list)
    goes_on: Event = field(default_factory=Event)
    corners: list[Any] = field(default_factory=list)
    stopped: int = 0

    def __call__(self, kind: str, file: Any, corners: Any, config: Config) -> Readings:
        del kind, config
        file.seek(0)
        assert file.read() == b"photograph"
        self.corners.append(corners)
        return self

    def follow(self, told: Callable[[str, Any], None]) -> Any:
        told(SHOWN, (b"jpeg", (1600, 900)))
        told(STAGE, said("Counting the buttons"))
        assert self.goes_on.wait(20)
        result = self.results.pop(0)
        if isinstance(result, CompanionError):
            raise result
        return result

    def stop(self) -> None:
        self.stopped += 1


@pytest.fixture(autouse=True)
def readings(monkeypatch: pytest.MonkeyPatch) -> Readings:
    read = Readings()
    read.goes_on.set()
    monkeypatch.setattr(photographs, "Reading", read)
    return read


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def scoring(desk: MakeDesk, tmp_path: Path, clock: ManualClock) -> Iterator[Desk]:
    sent = PhotographDesk({kind.name: kind for kind in PHOTOGRAPHS}, Config(), tmp_path, clock)
    yield desk(tmp_path / JOURNAL_NAME).changed(photographs=sent).with_key()
    sent.close()


def _send(scoring: Desk, more: str = "") -> Any:
    return scoring.client.post(f"/api/photographs?kind=patchwork{more}", content=b"photograph", headers=JPEG)


def _done(scoring: Desk, key: str) -> Any:
    """Return a game's photographs once all of them have been read."""
    for _ in range(2000):
        view = scoring.client.get(f"/api/photographs/{key}").json()
        if all(photo["done"] for photo in view["photos"]):
            return view
        time.sleep(0.005)
    raise AssertionError("it is not read before long")


def _sent(scoring: Desk) -> tuple[str, Any]:
    key = _send(scoring).json()["id"]
    return key, _done(scoring, key)


def test_nobody_sends_pictures_without_the_key(scoring: Desk) -> None:
    scoring.client.cookies.clear()
    assert _send(scoring).status_code == 401
    assert scoring.client.get("/api/photographs").status_code == 401


def test_the_progress_is_told_while_a_picture_is_read(scoring: Desk, readings: Readings) -> None:
    readings.results = [BOTH]
    readings.goes_on.clear()
    key = _send(scoring).json()["id"]
    for _ in range(2000):
        (photo,) = scoring.client.get(f"/api/photographs/{key}").json()["photos"]
        if photo["stage"] == "Counting the buttons":
            break
        time.sleep(0.005)
    assert (photo["stage"], photo["size"], photo["done"]) == ("Counting the buttons", [1600, 900], False)
    assert scoring.client.get(f"/api/photographs/{key}/0.jpg").content == b"jpeg"
    readings.goes_on.set()
    assert _done(scoring, key)["sheet"]["seats"][0]["doubtful"] == ["A1"]


def test_a_scored_game_is_corrected_kept_and_deleted(scoring: Desk, readings: Readings, tmp_path: Path) -> None:
    readings.results = [BOTH]
    key, view = _sent(scoring)
    assert (view["result"], view["more"], view["kept"]) == (False, False, None)
    assert scoring.post(f"/api/photographs/{key}/keep", {"pictures": True}).status_code == 409
    entered = {"seats": [{"name": "Anna", "empty": ["A1"]}, {"name": "Boris", "buttons": 4}], "tile": 2}
    view = scoring.post(f"/api/photographs/{key}/entered", {"entered": entered}).json()
    assert [seat["score"] for seat in view["sheet"]["seats"]] == [0, 5]
    assert scoring.post(f"/api/photographs/{key}/keep", {"pictures": True}).json()["kept"] == 1
    # Kept again after a change, there is still one game.
    assert scoring.post(f"/api/photographs/{key}/keep", {"pictures": True}).json()["kept"] == 2
    (listed,) = scoring.client.get("/api/games?limit=5").json()["scored"]
    assert (listed["players"], listed["scores"], listed["pictures"]) == (["Anna", "Boris"], [0, 5], 1)
    assert scoring.client.get("/api/scored/2/1.jpg").content == b"jpeg"
    assert scoring.post("/api/players/forget", {"name": "Boris"}).json()["says"] == "Boris was removed from 1 game."
    assert scoring.client.get("/api/games?limit=5").json()["scored"][0]["players"] == ["Anna", ""]
    assert scoring.post("/api/scored/2/delete", {}).json()["ok"]
    assert "scored" not in scoring.client.get("/api/games?limit=5").json()
    assert list((tmp_path / "scored").iterdir()) == []


def test_a_game_that_was_deleted_is_kept_again_and_another_with_its_number_stays(
    scoring: Desk, readings: Readings, tmp_path: Path
) -> None:
    def kept() -> list[str]:
        return sorted(path.name for path in (tmp_path / "scored").glob("*.json"))

    whole = replace(BOTH, hands={1: hand(1, 1), 2: hand(2, 2)})
    readings.results = [whole, whole]
    (first, _), (second, _) = _sent(scoring), _sent(scoring)
    assert scoring.post(f"/api/photographs/{first}/keep", {}).json()["kept"] == 1
    assert scoring.post("/api/scored/1/delete", {}).status_code == 200
    assert scoring.post(f"/api/photographs/{first}/keep", {}).json()["kept"] == 1
    assert kept() == ["1.json"]
    assert scoring.post("/api/scored/1/delete", {}).status_code == 200
    # As after more than a second.
    scored = tmp_path / "scored" / "1.json"
    scoring.post(f"/api/photographs/{second}/keep", {})
    scored.write_text(
        scored.read_text(encoding="utf-8").replace('"scored_at":"20', '"scored_at":"19'), encoding="utf-8"
    )
    assert scoring.post(f"/api/photographs/{first}/keep", {}).json()["kept"] == 2
    assert kept() == ["1.json", "2.json"]


class FullDisk(io.BytesIO):
    """A file on a disk without room."""

    def write(self, content: object) -> int:
        del content
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_said_in_a_sentence(scoring: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room() -> FullDisk:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for file in (FullDisk, no_room):
        monkeypatch.setattr(scoring.site.photographs, "file", file)
        answer = _send(scoring)
        assert answer.status_code == 507
        assert "No space left on device" in answer.json()["error"]


def test_a_second_photograph_brings_the_other_quilt(scoring: Desk, readings: Readings) -> None:
    readings.results = [ALONE, ALONE]
    key, view = _sent(scoring)
    assert view["more"]
    assert _send(scoring, f"&to={key}").json()["id"] == key
    view = _done(scoring, key)
    assert ([seat["photo"] for seat in view["sheet"]["seats"]], view["more"]) == ([0, 1], False)
    assert _send(scoring, f"&to={key}").status_code == 409


def test_boards_that_were_not_found_are_shown_by_people(scoring: Desk, readings: Readings) -> None:
    readings.results = [NotFoundError(said("No quilt.")), BOTH]
    key, view = _sent(scoring)
    assert (view["photos"][0]["fault"], view["photos"][0]["can_show"], view["sheet"]) == ("No quilt.", True, None)
    corners = [[[10, 10], [90, 10], [90, 90], [10, 90]]]
    assert scoring.post(f"/api/photographs/{key}/corners", {"photo": 0, "corners": corners}).json()["ok"]
    assert len(_done(scoring, key)["sheet"]["seats"]) == 2
    assert readings.corners[-1][0].tolist() == corners[0]
    assert scoring.post(f"/api/photographs/{key}/corners", {"photo": 3, "corners": corners}).status_code == 404


@pytest.mark.parametrize(
    ("corners", "says"),
    [
        ([[[10, 10], [90, 90], [90, 10], [10, 90]]], "not across it"),
        ([[[10, 10], [10, 10], [90, 90], [10, 90]]], "not across it"),
        ([[[10, 10], [90, 10], [30, 30], [10, 90]]], "not across it"),
        ([[[50, 50]] * 4], "not across it"),
        (
            [[[10, 10], [90, 10], [90, 90], [10, 90]], [[70, 12], [20, 12], [20, 88], [70, 88]]],
            "Both boards are in one",
        ),
    ],
)
def test_corners_that_go_around_no_board_are_refused_before_anything_is_read(
    scoring: Desk, readings: Readings, corners: list[Any], says: str
) -> None:
    readings.results = [NotFoundError(said("No quilt."))]
    key, _ = _sent(scoring)
    answer = scoring.post(f"/api/photographs/{key}/corners", {"photo": 0, "corners": corners})
    assert answer.status_code == 409
    assert says in answer.json()["error"]
    assert _done(scoring, key)["photos"][0]["fault"] == "No quilt."
    assert len(readings.corners) == 1


def test_a_picture_that_cannot_be_read_is_left_out_and_the_others_stay(scoring: Desk, readings: Readings) -> None:
    readings.results = [ALONE, NotFoundError(said("No quilt.")), NotFoundError(said("No quilt.")), ALONE]
    key, _ = _sent(scoring)
    scoring.post(f"/api/photographs/{key}/entered", {"entered": {"seats": [{"name": "Anna", "buttons": 4}]}})
    _send(scoring, f"&to={key}")
    assert _done(scoring, key)["photos"][1]["fault"] == "No quilt."
    # What was entered belongs to the other one, and stays.
    scoring.post(f"/api/photographs/{key}/corners", {"photo": 1, "corners": [[[1, 1], [90, 1], [90, 90], [1, 90]]]})
    _done(scoring, key)
    assert scoring.post(f"/api/photographs/{key}/leave-out", {"photo": 0}).status_code == 404, "it was read"
    view = scoring.post(f"/api/photographs/{key}/leave-out", {"photo": 1}).json()
    assert (len(view["photos"]), view["more"], view["sheet"]["seats"][0]["buttons"]) == (1, True, 4)
    _send(scoring, f"&to={key}")
    assert len(_done(scoring, key)["sheet"]["seats"]) == 2


def test_a_machine_that_cannot_even_begin_to_read_says_so(scoring: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_memory(*_args: object, **_more: object) -> None:
        raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))

    monkeypatch.setattr(photographs, "Reading", Reading)
    monkeypatch.setattr("companion.web.photographing.subprocess.Popen", without_memory)
    _, view = _sent(scoring)
    assert view["photos"][0]["fault"].endswith("this machine has too little memory or time for it.")


def test_a_picture_is_forgotten_on_command_and_when_nobody_looks(
    scoring: Desk, readings: Readings, clock: ManualClock, tmp_path: Path
) -> None:
    readings.results = [BOTH] * 3
    key, _ = _sent(scoring)
    assert scoring.post(f"/api/photographs/{key}/forget", {}).json()["ok"]
    assert scoring.client.get(f"/api/photographs/{key}").status_code == 404
    key, _ = _sent(scoring)
    clock.now_s += IDLE_S + 1
    _sent(scoring)
    assert scoring.client.get(f"/api/photographs/{key}").status_code == 404
    assert [path.name for path in tmp_path.iterdir() if path.is_file() and path.suffix not in (".txt", ".key")] == []


def test_too_many_and_foreign_pictures_are_refused(
    scoring: Desk, readings: Readings, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings.results = [BOTH] * 9
    readings.goes_on.clear()
    assert [_send(scoring).status_code for _ in range(5)] == [200] * 4 + [409]
    readings.goes_on.set()
    client = scoring.client
    assert client.post("/api/photographs?kind=chess", content=b"", headers=JPEG).status_code == 400
    text = client.post("/api/photographs?kind=patchwork", content=b"x", headers={"content-type": "text/plain"})
    assert text.status_code == 415
    monkeypatch.setattr("companion.web.handlers.photographs.LARGEST_BYTES", 5)
    assert _send(scoring).status_code == 413


def test_a_table_that_stores_nothing_keeps_no_game(scoring: Desk, readings: Readings) -> None:
    readings.results = [replace(BOTH, hands={1: hand(1, 1), 2: hand(2, 2)})]
    archive = type(scoring.site.archive)(None, scoring.site.games)
    without = scoring.changed(archive=archive).with_key()
    assert not without.client.get("/api/photographs").json()["keeps"]
    key, view = _sent(without)
    assert view["result"]
    assert without.post(f"/api/photographs/{key}/keep", {}).status_code == 409
