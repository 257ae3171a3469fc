from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

import cv2
import numpy as np
import pytest

from companion.games.patchwork.components import PATCHES
from companion.web.handlers.reading import SNAPSHOT
from companion.web.transport.hub import BYE
from tests.companion.web.conftest import exposure, frame, place

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.companion.web.conftest import MakeDesk

    Picture: TypeAlias = NDArray[np.uint8]


@pytest.mark.parametrize("path", ["/", "/tv", "/watch"])
def test_the_page_is_one_file_for_every_view(desk: MakeDesk, path: str) -> None:
    answer = desk().client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert "Quilt Companion" in answer.text


def test_its_files_are_checked_for_news_each_time(desk: MakeDesk) -> None:
    client = desk().client
    answer = client.get("/static/page.js")
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")
    assert "javascript" in answer.headers["content-type"]
    again = client.get("/static/page.js", headers={"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304


@pytest.mark.parametrize(
    "path",
    [
        "/static/../secret.txt",
        "/static/%2e%2e/secret.txt",
        "/static/..%2fsecret.txt",
        "/static//etc/passwd",
        "/static/%00",
        "/static/",
        "/secret.txt",
        "/nowhere",
        "/api/nowhere",
        "/crop/x.jpg",
        "/api/games/-1",
    ],
)
def test_no_path_leads_to_other_files(desk: MakeDesk, path: str) -> None:
    answer = desk().client.get(path)
    assert answer.status_code == 404
    assert answer.json()["error"] == "There is no such page."


def test_the_snapshot_is_the_newest_one(desk: MakeDesk) -> None:
    opened = desk()
    answer = opened.client.get("/api/snapshot")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    opened.site.hub.publish(SNAPSHOT, b'{"number":1}')
    opened.site.hub.publish(SNAPSHOT, b'{"number":2}')
    answer = opened.client.get("/api/snapshot")
    assert (answer.status_code, answer.json()) == (200, {"number": 2})
    assert answer.headers["cache-control"] == "no-store"


def test_the_stream_tells_the_newest_and_ends_with_the_evening(desk: MakeDesk) -> None:
    opened = desk()
    opened.site.hub.publish(SNAPSHOT, b'{"number":1}')
    opened.site.hub.publish(BYE, b"{}")
    answer = opened.client.get("/api/events")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.text == 'retry: 1000\n\nevent: snapshot\ndata: {"number":1}\n\nevent: bye\ndata: {}\n\n'


def test_too_many_streams_are_refused(desk: MakeDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = desk()
    for most in ("_most_keyed", "_most_spectators"):
        monkeypatch.setattr(opened.site.hub, most, 0)
    answer = opened.client.get("/api/events")
    assert (answer.status_code, answer.json()["error"]) == (503, "Too many pages are open; close one.")


def test_the_box_holds_every_patch(desk: MakeDesk) -> None:
    told = desk().client.get("/api/box").json()
    assert told["denominations"] == [20, 10, 5, 1]
    shown = {entry["id"]: entry for entry in told["patches"]}
    assert set(shown) == set(PATCHES)
    for patch in PATCHES.values():
        entry = shown[patch.id]
        assert entry["cells"] == [list(cell) for cell in patch.cells]
        assert (entry["buttons"], entry["time"], entry["income"]) == (patch.buttons, patch.time, patch.income)


def test_the_qr_code_says_the_address_to_join_at(desk: MakeDesk) -> None:
    opened = desk(lan=True).with_key()
    shown = opened.client.get("/api/code").json()
    picture = _raster(opened.client.get("/api/code.svg").text)
    text, *_ = cv2.QRCodeDetector().detectAndDecode(cv2.resize(picture, None, fx=8, fy=8, interpolation=0))
    assert text == shown["url"]


def _raster(drawn: str) -> Picture:
    """Return a QR code's modules as pixels, 0 where dark: its path has moves ("M", "m") and strokes ("h") by row."""
    path = drawn.split('class="qrline"')[1].split(' d="')[1].split('"', maxsplit=1)[0]
    side = int(drawn.split(' width="')[1].split('"', maxsplit=1)[0]) // 8
    picture, x, y = np.full((side, side), 255, np.uint8), 0.0, 0.0
    for kind, numbers in re.findall(r"([Mmh])([-0-9. ]+)", path):
        first, second = (*map(float, re.findall(r"-?[0-9.]+", numbers)), 0.0)[:2]
        if kind == "h":
            picture[int(y), int(x) : int(x + first)] = 0
        x, y = (first, second) if kind == "M" else (x + first, y + second)
    return picture


def _decoded(content: bytes) -> Picture:
    picture = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return np.asarray(picture, np.uint8)


def test_the_camera_s_newest_frame_is_a_jpeg(desk: MakeDesk) -> None:
    opened = desk().with_key()
    assert opened.client.get("/camera.jpg").status_code == 404
    opened.site.gallery.keep(exposure())
    answer = opened.client.get("/camera.jpg")
    assert answer.headers["content-type"] == "image/jpeg"
    assert abs(float(_decoded(answer.content).mean()) - 90) < 2
    opened.site.gallery.keep(exposure(frame=frame("000002.jpg", 200)))
    assert abs(float(_decoded(opened.client.get("/camera.jpg").content).mean()) - 200) < 2


def test_the_reading_is_drawn_in_on_request_only(desk: MakeDesk) -> None:
    opened = desk().with_key()
    opened.site.gallery.keep(exposure(quilts={1: 1, 2: 0}))
    plain, drawn = (opened.client.get(f"/camera.jpg?reading={flag}").content for flag in (0, 1))
    assert _decoded(plain).std() < 2 < _decoded(drawn).std()


def test_a_crop_is_a_board_seen_straight_on(desk: MakeDesk) -> None:
    opened = desk().with_key()
    opened.site.gallery.keep(exposure(1, places={2: place(110.0)}, marked={2: 1}))
    assert opened.client.get("/crop/1.jpg").status_code == 404
    assert opened.client.get("/crop/3.jpg").status_code == 404
    answer = opened.client.get("/crop/2.jpg?at=1")
    assert answer.headers["content-type"] == "image/jpeg"
    assert _decoded(answer.content).shape == (384, 384, 3)


def test_a_seat_that_no_game_has_is_no_fault_of_the_page(desk: MakeDesk) -> None:
    opened = desk().with_key()
    opened.site.gallery.keep(exposure(1, places={2: place(110.0)}, marked={2: 1}))
    for seat in ("9", "9" * 400, "9" * 4301):
        assert opened.client.get(f"/crop/{seat}.jpg").status_code == 404
        assert opened.client.get(f"/api/games/1/quilts/{seat}.jpg").status_code == 404


def test_pictures_are_limited_in_their_rate(desk: MakeDesk) -> None:
    opened = desk().with_key()
    statuses = [opened.client.get("/camera.jpg").status_code for _ in range(31)]
    assert statuses == [404] * 30 + [429]
    opened.clock.now_s += 1
    assert opened.client.get("/crop/1.jpg").status_code == 404
