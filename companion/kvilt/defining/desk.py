"""The desk at which an owner's sheet is described: photograph, corners, tables, draft and files."""

import json
import tomllib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import RLock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from companion import durable
from companion.calibrating.configured import may_be_page
from companion.durable import read_text
from companion.errors import CompanionError
from companion.kvilt.defining.detection import likely_corners, page_size, picture_in
from companion.kvilt.defining.tables import (
    OWN_KEYS,
    Missing,
    Tables,
    fault_in,
    has_form,
    missing_in,
    new_tables,
    sheet_id,
    sheet_text,
    tables_of_file,
)
from companion.kvilt.reading.finding import blank_of
from companion.kvilt.sheets.files import is_numbers
from companion.kvilt.sheets.layout_files import load_layout
from companion.languages import said, system_says, toml_says, unreadable, unwritable
from companion.ownership import as_owner_of
from companion.pictures import jpeg
from companion.terminal.photograph import load_photo
from vision.geometry import through_corners
from vision.sheet.page import Page, coarsest_px_per_mm, flatten, page_corners_mm

DRAFT_FORMAT: Final = 1
_LARGEST_BYTES: Final = 4 << 20
_QUALITY: Final = 95


def draft_path(path: Path) -> Path:
    """Return the path of the draft of a sheet's file."""
    return path.with_name(f"{path.stem}.draft.json")


def blank_name(path: Path) -> str:
    """Return the name of the picture of the blank sheet, in the folder of the sheet's file."""
    return f"{path.stem}-blank.jpg"


def read_draft(path: Path) -> dict[str, Any] | None:
    """Return the draft of a sheet's file, or None if there is none.

    Raises:
        CompanionError: the draft cannot be used.
    """
    draft = draft_path(path)
    try:
        content = draft.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CompanionError(unreadable(draft, error)) from error
    try:
        found = json.loads(content.decode("utf-8")) if len(content) <= _LARGEST_BYTES else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.get("format") != DRAFT_FORMAT or not _is_begun(found.get("sheet")):
        raise CompanionError.said("{path}: is not a draft of a sheet; move it away to start again", path=str(draft))
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
        CompanionError: the draft cannot be written.
    """
    content = json.dumps({"format": DRAFT_FORMAT, **draft}, ensure_ascii=False, separators=(",", ":"))
    write_whole(draft_path(path), content.encode())


def write_whole(path: Path, content: bytes) -> None:
    """Write a file atomically: after a power cut it holds either the old content or the new.

    Raises:
        CompanionError: the file cannot be written.
    """
    try:
        with as_owner_of(path.parent):
            durable.write_whole(path, content)
    except (OSError, ValueError) as error:
        raise CompanionError(unwritable(path, error)) from error


PHOTO_LONG_SIDE_PX: Final = 2400


@dataclass(frozen=True, slots=True, eq=False)
class DefiningView:
    """The state of a sheet that is being described.

    Attributes:
        file: the sheet's file.
        tables: the sheet's tables as entered so far.
        photo_px: width and height of the photograph as shown, or None if there is only the stored blank picture.
        corners_px: the sheet's corners in it, shape (4, 2), clockwise from the page's top left, or None without it.
        flat_number: increases with every new rectified picture of the sheet; 0 if there is none.
        px_per_mm: the resolution of the sheet in the photograph, or None without one.
        missing: the entries still to be made.
        fault: the program's error message for the file; empty if it is valid, or if entries are missing.
        saved: whether the file contains the present state.
    """

    file: Path
    tables: Tables
    photo_px: tuple[int, int] | None
    corners_px: NDArray[np.float64] | None
    flat_number: int
    px_per_mm: float | None
    missing: tuple[Missing, ...]
    fault: str
    saved: bool


class DefiningDesk:
    """The description of one sheet. May be used from any thread.

    Args:
        path: the sheet's file, which need not exist yet.
        tables: the tables known so far.
        photo: a photograph of the blank sheet, shape (height, width, 3), uint8, BGR, or None if there is only `flat`.
        flat: the stored rectified picture of the blank sheet, or None if there is none.
        corners_px: the sheet's corners in the photograph, or None to search for them.
        source: the photograph's path, for the draft, or None without one.
    """

    def __init__(
        self,
        path: Path,
        tables: Tables,
        photo: NDArray[np.uint8] | None,
        flat: NDArray[np.uint8] | None = None,
        corners_px: NDArray[np.float64] | None = None,
        source: Path | None = None,
    ) -> None:
        # Reentrant: methods that change something call `view`.
        self._lock = RLock()
        self.path, self._tables, self._photo, self._flat, self._source = path, tables, photo, flat, source
        self._number = 0 if flat is None else 1
        self._saved = False
        self._corners = corners_px
        if photo is not None:
            if corners_px is None:
                self._corners = likely_corners(photo, flat, page_size(tables))
            self._lay_flat()

    def view(self) -> DefiningView:
        """Return the present state."""
        with self._lock:
            straightened = self._flat is not None
            missing = missing_in(self._tables, straightened=straightened)
            fault = "" if missing else fault_in(self._written(), self.path.name)
            photo_px = None if self._photo is None else (self._photo.shape[1], self._photo.shape[0])
            place = self._place()
            scale = None if place is None else coarsest_px_per_mm(place, page_corners_mm(page_size(self._tables)))
            return DefiningView(
                self.path, self._tables, photo_px, self._corners, self._number, scale, missing, fault, self._saved
            )

    def move(self, corners_px: NDArray[np.float64] | None) -> DefiningView:
        """Set the sheet's corners, shape (4, 2), or search for them again if None is given.

        Raises:
            CompanionError: there is no photograph, or these are no corners of a page.
        """
        with self._lock:
            if self._photo is None:
                raise CompanionError.said("There is no photograph: give one with companion kvilt define PHOTO.")
            if corners_px is None:
                corners_px = likely_corners(self._photo, None, page_size(self._tables))
            if not may_be_page(corners_px):
                raise CompanionError.said("The corners must go clockwise round the sheet, starting at the top left.")
            self._corners = corners_px
            self._lay_flat()
            self._keep()
            return self.view()

    def turn(self) -> DefiningView:
        """Turn the sheet by a quarter: its next corner becomes the top left one."""
        with self._lock:
            if self._corners is None:
                return self.move(None)
            return self.move(np.roll(self._corners, -1, axis=0))

    def put(self, tables: Tables) -> DefiningView:
        """Replace the tables by the user's and save them as a draft.

        Raises:
            CompanionError: they do not belong to this sheet, or cannot be saved.
        """
        with self._lock:
            if not has_form(tables):
                raise CompanionError.said("These are not the tables of a sheet.")
            resized = page_size(tables) != page_size(self._tables)
            own = {key: self._tables[key] for key in OWN_KEYS}
            self._tables = {**tables, **own}
            if resized and self._photo is not None:
                self._lay_flat()
            self._saved = False
            self._keep()
            return self.view()

    def photo_jpeg(self) -> bytes:
        """Return the photograph as a JPEG.

        Raises:
            CompanionError: there is no photograph.
        """
        with self._lock:
            if self._photo is None:
                raise CompanionError.said("There is no photograph: give one with companion kvilt define PHOTO.")
            return jpeg(self._photo, _QUALITY, PHOTO_LONG_SIDE_PX)

    def flat_jpeg(self) -> bytes:
        """Return the rectified blank sheet as a JPEG.

        Raises:
            CompanionError: the sheet's corners are not known yet.
        """
        with self._lock:
            return jpeg(self._need_flat(), _QUALITY)

    def pictures(self, cells_mm: Sequence[Sequence[float]]) -> list[list[list[float]] | None]:
        """Return the outline of the picture in each cell, in millimetres, or None if none stands out.

        Raises:
            CompanionError: the sheet's corners are not known yet.
        """
        with self._lock:
            # Only this needs the lock: the picture is replaced, never changed, and the search takes long.
            flat = self._need_flat()
        return [picture_in(flat, cell) for cell in cells_mm]

    def save(self) -> DefiningView:
        """Write the blank picture and the sheet's file, and delete the draft.

        Raises:
            CompanionError: an entry is missing or wrong, or a file cannot be written.
        """
        with self._lock:
            now = self.view()
            if now.missing or now.fault:
                raise CompanionError(now.fault or now.missing[0].says)
            # The picture first, so that no sheet is stored without the picture that it names.
            write_whole(self.path.with_name(blank_name(self.path)), jpeg(self._need_flat(), _QUALITY))
            write_whole(self.path, sheet_text(self._written()).encode())
            self._saved = True
            # A draft that remains says the same as the file.
            with suppress(OSError):
                draft_path(self.path).unlink(missing_ok=True)
            return replace(now, saved=True)

    def _written(self) -> Tables:
        """Return the tables in the form of the file."""
        blank = {**self._tables["fiducials"], "kind": "corners", "blank": blank_name(self.path)}
        swatches = self._tables.get("swatches") or None
        title = self._tables.get("title") or {"en": self.path.stem}
        return {**self._tables, "fiducials": blank, "swatches": swatches, "title": title}

    def _keep(self) -> None:
        corners = None if self._corners is None else np.round(self._corners, 2).tolist()
        source = None if self._source is None else str(self._source.resolve())
        write_draft(self.path, {"photo": source, "corners": corners, "sheet": self._tables})

    def _need_flat(self) -> NDArray[np.uint8]:
        if self._flat is None:
            raise CompanionError.said("Drag the four corners onto the corners of the paper.")
        return self._flat

    def _place(self) -> Any:
        if self._photo is None or self._corners is None:
            return None
        return through_corners(page_corners_mm(page_size(self._tables)), self._corners)

    def _lay_flat(self) -> None:
        place = self._place()
        if place is None or self._photo is None:
            return
        size = page_size(self._tables)
        scale = coarsest_px_per_mm(place, page_corners_mm(size))
        self._flat = flatten(self._photo, Page(place, 0.0, scale), size)
        self._number += 1


def open_desk(path: Path, photo: Path | None, name: str | None) -> DefiningDesk:
    """Begin a sheet, or resume its draft or its file.

    Args:
        path: the sheet's file.
        photo: a photograph of the blank sheet; None to resume.
        name: the owner's name for the sheet; None for the file's own name.

    Raises:
        CompanionError: there is nothing to resume, or the draft cannot be used.
        PhotoError: the photograph cannot be read.
        SheetError: the file is no sheet of an owner.
    """
    draft = read_draft(path)
    known = path.exists()
    if photo is None and draft is None and not known:
        raise CompanionError.said(
            "{path}: is not there yet: start with a photograph of the blank sheet, {word}",
            path=str(path),
            word="PHOTO",
        )
    filed = tables_of_file(path) if known else None
    flat = blank_of(load_layout(path)).flat if known else None
    tables = draft["sheet"] if draft is not None else filed or new_tables(name or path.stem)
    if name is not None:
        tables = {**tables, "id": sheet_id(name), "title": {"en": name}}
    source = photo or _photo_of(draft)
    image = None if source is None else load_photo(source)
    # Corners are those of the photograph on which they were set; another one has its own.
    corners = _corners_of(draft) if source is not None and photo in (None, _photo_of(draft)) else None
    if image is None and flat is None:
        raise CompanionError.said(
            "{path}: its photograph is gone: give it again, {command}",
            path=str(draft_path(path)),
            command="companion kvilt define PHOTO",
        )
    return DefiningDesk(path, tables, image, flat, corners, source)


def _photo_of(draft: dict[str, Any] | None) -> Path | None:
    """Return the path of the photograph with which a draft was begun, or None if it is gone."""
    kept = None if draft is None else draft.get("photo")
    return Path(kept) if isinstance(kept, str) and Path(kept).is_file() else None


def _corners_of(draft: dict[str, Any] | None) -> NDArray[np.float64] | None:
    try:
        corners = np.array(None if draft is None else draft.get("corners"), np.float64)
    except (TypeError, ValueError):
        return None
    return corners if corners.shape == (4, 2) and np.isfinite(corners).all() else None


_OWN = ("page", "colour", "quilt", "patch", "spools", "embroidery_style", "embroidery", "swatches", "reading")


def describe(desk: DefiningDesk, path: Path) -> None:
    """Read the tables from a file and save the sheet.

    Args:
        desk: the desk of a sheet whose photograph is known.
        path: a TOML file with the tables of a sheet's file; rows may lack `picture_outline` and `columns`.

    Raises:
        CompanionError: the file cannot be read, or an entry is missing or wrong.
    """
    tables = _tables(path)
    entered = {**desk.view().tables, **{key: tables[key] for key in _OWN if key in tables}}
    if not has_form(entered):
        raise _unusable(path, said("These are not the tables of a sheet."))
    desk.put(entered)
    entered = desk.view().tables
    if "swatches" not in tables:
        entered = {key: value for key, value in entered.items() if key != "swatches"}
    for row in entered["quilt"].get("row") or []:
        _complete(row, desk)
    view = desk.put(entered)
    if view.missing or view.fault:
        raise CompanionError.said("{path}: {fault}", path=str(path), fault=view.fault or view.missing[0].says)
    desk.save()


def _tables(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_text(path, "utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        why = system_says(error) if isinstance(error, OSError) else toml_says(error)
        raise _unusable(path, why) from error


def _unusable(path: Path, fault: str) -> CompanionError:
    return CompanionError.said("{path}: cannot be used: {fault}", path=f"--regions {path}", fault=fault)


def _complete(row: dict[str, Any], desk: DefiningDesk) -> None:
    """Complete a row with numbers of its columns and detected pictures if the file does not give them."""
    cells = row.get("cell") or []
    row.setdefault("columns", list(range(1, len(cells) + 1)))
    if "picture_outline" not in row:
        good = all(is_numbers(cell, 4) for cell in cells)
        row["picture_outline"] = desk.pictures(cells) if good else None
