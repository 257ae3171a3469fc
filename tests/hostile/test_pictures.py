"""Test files that are no pictures, and pictures that are damaged, unusual, or announced as larger than memory."""

from __future__ import annotations

import resource
import struct
import zlib
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from PIL import Image

from companion.pictures import LONGEST_PX, MOST_PX, TooLargeError, TooSmallError, decoded
from tests.hostile.answering import answer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_RNG = np.random.default_rng(1)
PICTURE = cv2.resize(_RNG.integers(0, 255, (12, 16, 3), np.uint8), (320, 240))


def _jpeg() -> bytes:
    return bytes(cv2.imencode(".jpg", PICTURE)[1].tobytes())


def _png(width: int, height: int, rows: int = 0) -> bytes:
    """Return a black PNG with this size in its header and data for `rows` rows."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    packed = zlib.compressobj(9)
    data = b"".join(packed.compress(bytes(1 + 3 * width)) for _ in range(rows)) + packed.flush()
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def _announcing(width: int, height: int) -> bytes:
    """Return a JPEG with another size in its header."""
    content = _jpeg()
    at = content.index(b"\xff\xc0") + 5
    return content[:at] + struct.pack(">HH", height, width) + content[at + 4 :]


def _dented(content: bytes, share: float) -> bytes:
    at = int(share * len(content))
    return content[:at] + b"\x13\xff\x00\xd9" + content[at + 4 :]


NO_PICTURES: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "two bytes": lambda: _jpeg()[:2],
    "cut": lambda: _jpeg()[:200],
    "text": lambda: b"no picture\n" * 30,
    "drawing": lambda: b"<svg/>",
    "heic": lambda: struct.pack(">I", 24) + b"ftypheic" + bytes(4) + b"mif1heic" + bytes(500),
    "a size of nothing": lambda: _announcing(0, 0),
    "a negative size": lambda: b"BM" + struct.pack("<IHHIIiiHH24x", 54, 0, 0, 54, 40, -1, 2**31 - 1, 1, 24),
    "a dent": lambda: _dented(bytes(cv2.imencode(".png", PICTURE)[1].tobytes()), 0.2),
    "jpeg 2000": lambda: b"\0\0\0\x0cjP  \r\n\x87\n" + bytes(100),
}
TOO_LARGE: dict[str, Callable[[], bytes]] = {
    "as large as can be said": lambda: _png(2**31 - 1, 2**31 - 1),
    "a jpeg": lambda: _announcing(65_500, 65_500),
    "a long line": lambda: _png(1_000_000, 20),
    "pixels that were never sent": lambda: b"P5 99999 99999 255\n",
    "just too many pixels": lambda: _png(LONGEST_PX, MOST_PX // LONGEST_PX + 1, 8),
}


@pytest.mark.parametrize("kind", NO_PICTURES)
def test_a_file_that_is_no_picture_is_refused(kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(NO_PICTURES[kind]())
    found = answer("score", "--game", "kvilt", path)
    found.must_be_plain()
    assert found.errors == f"companion: {path}: is not a readable picture; give a photograph as JPEG or PNG\n"
    assert capfd.readouterr().err == "", "a library's own remark"


@pytest.mark.parametrize("kind", TOO_LARGE)
def test_a_picture_that_would_fill_the_memory_is_refused(
    kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "photo.png"
    path.write_bytes(TOO_LARGE[kind]())
    before_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = answer("score", "--game", "kvilt", path)
    found.must_be_plain()
    assert "give a smaller one" in found.errors
    assert capfd.readouterr().err == ""
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kb < 200_000


@pytest.mark.parametrize("command", [("market",), ("score",), ("calibrate", "--image")], ids=" ".join)
def test_other_commands_refuse_the_same(command: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "photo.png"
    path.write_bytes(TOO_LARGE["a long line"]())
    found = answer(*command, path)
    found.must_be_plain()
    assert found.status == 2


def _saved(path: Path, picture: Image.Image, **more: Any) -> bytes:
    picture.save(path, **more)
    return path.read_bytes()


@pytest.mark.parametrize("kind", ["jpg", "png", "gif", "webp", "tif", "bmp"])
def test_pictures_of_all_kinds_are_read(kind: str, tmp_path: Path) -> None:
    found = decoded(_saved(tmp_path / f"photo.{kind}", Image.fromarray(PICTURE[:, :, ::-1])))
    assert found is not None
    assert found.shape == PICTURE.shape
    assert np.abs(found.astype(int) - PICTURE).mean() < 12


@pytest.mark.parametrize("mode", ["L", "P", "RGBA", "CMYK", "1"])
def test_pictures_of_all_modes_have_three_channels(mode: str, tmp_path: Path) -> None:
    kind = "jpg" if mode == "CMYK" else "png"
    found = decoded(_saved(tmp_path / f"photo.{kind}", Image.fromarray(PICTURE).convert(mode)))
    assert found is not None
    assert found.shape == PICTURE.shape
    assert found.dtype == np.uint8


def test_sixteen_bits_become_eight() -> None:
    found = decoded(bytes(cv2.imencode(".png", PICTURE.astype(np.uint16) * 257)[1].tobytes()))
    assert found is not None
    assert np.array_equal(found, PICTURE)


def test_a_picture_is_turned_as_the_camera_was(tmp_path: Path) -> None:
    turned = Image.Exif()
    turned[0x112] = 6
    found = decoded(_saved(tmp_path / "photo.jpg", Image.fromarray(PICTURE), exif=turned))
    assert found is not None
    assert found.shape == (320, 240, 3)


@pytest.mark.parametrize("most_px", [None, 13_000_000])
@pytest.mark.parametrize(("width", "height"), [(1, 1), (320, 1), (3000, 20)])
def test_there_is_nothing_to_see_in_a_line(width: int, height: int, most_px: int | None) -> None:
    content = bytes(cv2.imencode(".png", np.zeros((height, width, 3), np.uint8))[1].tobytes())
    with pytest.raises(TooSmallError) as raised:
        decoded(content, 18, most_px)
    assert (raised.value.width, raised.value.height) == (width, height)


def test_as_many_pixels_as_are_allowed_are_decoded() -> None:
    found = decoded(_png(2000, 1500, 1500))
    assert found is not None
    assert found.shape == (1500, 2000, 3)
    with pytest.raises(TooLargeError):
        decoded(_png(LONGEST_PX + 1, 900))
