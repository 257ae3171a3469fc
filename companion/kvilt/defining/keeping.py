"""The files of an owner's sheet: the sheet, its blank picture, and the draft while it is being described."""

import json
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion import durable
from companion.errors import CompanionError
from companion.kvilt.defining.tables import OWN_KEYS, has_form
from companion.languages import said, system_says

DRAFT_FORMAT: Final = 1
_LARGEST_BYTES: Final = 4 << 20
_QUALITY: Final = 95


class DefiningError(CompanionError):
    """Raised if a sheet cannot be described or saved; the message says what to do."""


def draft_path(path: Path) -> Path:
    """Return the path of the draft of a sheet's file."""
    return path.with_name(f"{path.stem}.draft.json")


def blank_name(path: Path) -> str:
    """Return the name of the picture of the blank sheet, in the folder of the sheet's file."""
    return f"{path.stem}-blank.jpg"


def read_draft(path: Path) -> dict[str, Any] | None:
    """Return the draft of a sheet's file, or None if there is none.

    Raises:
        DefiningError: the draft cannot be used.
    """
    draft = draft_path(path)
    try:
        content = draft.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DefiningError(
            said("{path}: cannot be read: {fault}", path=str(draft), fault=system_says(error))
        ) from error
    try:
        found = json.loads(content.decode("utf-8")) if len(content) <= _LARGEST_BYTES else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.get("format") != DRAFT_FORMAT or not _is_begun(found.get("sheet")):
        raise DefiningError(said("{path}: is not a draft of a sheet; move it away to start again", path=str(draft)))
    return found


def _is_begun(sheet: object) -> bool:
    """Return whether a sheet has the form of one, with the entries that every draft has from the beginning."""
    return (
        isinstance(sheet, dict)
        and has_form(sheet)
        and sheet.keys() >= {*OWN_KEYS}
        and isinstance(sheet["fiducials"], dict)
    )


def write_draft(path: Path, draft: dict[str, Any]) -> None:
    """Save the draft.

    Raises:
        DefiningError: the draft cannot be written.
    """
    content = json.dumps({"format": DRAFT_FORMAT, **draft}, ensure_ascii=False, separators=(",", ":"))
    write_whole(draft_path(path), content.encode())


def write_whole(path: Path, content: bytes) -> None:
    """Write a file atomically: after a power cut it holds either the old content or the new.

    Raises:
        DefiningError: the file cannot be written.
    """
    try:
        durable.write_whole(path, content)
    except (OSError, ValueError) as error:
        raise DefiningError(
            said("{path}: cannot be written: {fault}", path=str(path), fault=system_says(error))
        ) from error


def jpeg(image: NDArray[np.uint8], long_side_px: int | None = None) -> bytes:
    """Encode a picture, shape (height, width, 3), uint8, BGR, as a JPEG, reduced first if it is larger."""
    scale = 1.0 if long_side_px is None else long_side_px / max(image.shape[:2])
    if scale < 1:
        image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return data.tobytes()
