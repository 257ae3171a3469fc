"""A model of a disk: what is left on it when the power fails between two of a program's steps."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Iterator

_HEAD: Final = struct.Struct("=5Q")
_SECTOR: Final = 512
"""Bytes that a disk writes whole or not at all."""


class Kind(IntEnum):
    """What a step does, numbered as in `recorder.c`."""

    CREATE = 1
    WRITE = 2
    TRUNCATE = 3
    SYNC = 4
    RENAME = 5
    UNLINK = 6
    MKDIR = 7
    PRINT = 8


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a program that its files, or its output, show.

    Attributes:
        kind: what it does.
        inode: of the file; 0 where names alone are changed.
        offset: where something is written, or the size to which a file is cut.
        name: of the file or folder; empty for what is printed.
        other: the new name of a file that is renamed.
        data: what is written or printed.
    """

    kind: Kind
    inode: int = 0
    offset: int = 0
    name: str = ""
    other: str = ""
    data: bytes = b""


def steps_in(log: bytes) -> Iterator[Step]:
    """Yield the steps that `recorder.c` has written down; one that was cut off is left out."""
    place = 0
    while place + _HEAD.size <= len(log):
        number, inode, offset, first, second = _HEAD.unpack_from(log, place)
        place += _HEAD.size
        if place + first + second > len(log):
            return
        one, two = log[place : place + first], log[place + first : place + first + second]
        place += first + second
        kind = Kind(number)
        if kind is Kind.PRINT:
            yield Step(kind, data=one)
        elif kind is Kind.RENAME:
            yield Step(kind, name=one.decode(), other=two.decode())
        else:
            yield Step(kind, inode, offset, one.decode(), data=two)


@dataclass(slots=True)
class _File:
    """A file's content that is on the disk for certain, and what was done to it since."""

    content: bytearray = field(default_factory=bytearray)
    pending: list[Step] = field(default_factory=list)

    def sync(self) -> None:
        """Let everything be on the disk."""
        for step in self.pending:
            _apply(self.content, step)
        self.pending.clear()

    def after_a_cut(self, rng: random.Random) -> bytes:
        """Return what is left: of what was done since the last sync any part, in any order, sectors torn."""
        content = bytearray(self.content)
        done = [piece for step in self.pending for piece in _pieces(step)]
        share = rng.choice((0.0, 0.1, 0.5, 0.9, 1.0))
        for piece in done:
            if rng.random() < share:
                _apply(content, piece)
        return bytes(content)


@dataclass(slots=True)
class Disk:
    """All files of one folder.

    A name is on the disk for certain once its folder is synced, or the file of that name is, as on ext4, XFS and
    btrfs. Of the changes of names since, as many of the first as chance has it are there: they keep their order.

    Args:
        root: the folder.
    """

    root: Path
    _names: dict[str, _File] = field(default_factory=dict)
    _folders: set[str] = field(default_factory=set)
    _made: set[str] = field(default_factory=set)
    _files: dict[int, _File] = field(default_factory=dict)
    _pending: list[tuple[Step, _File | None]] = field(default_factory=list)

    def begin(self, image: Path) -> None:
        """Take what lies in a copy of the folder as what was there before the first step; it may be missing."""
        for path in sorted(image.rglob("*")):
            name = str(self.root / path.relative_to(image))
            if path.is_dir():
                self._folders.add(name)
                self._made.add(name)
            else:
                self._names[name] = _File(bytearray(path.read_bytes()))

    def take(self, step: Step) -> None:
        """Apply the next step."""
        match step.kind:
            case Kind.CREATE:
                self._files[step.inode] = _File()
                self._pending.append((step, self._files[step.inode]))
            case Kind.WRITE | Kind.TRUNCATE:
                self._file(step).pending.append(step)
            case Kind.SYNC if step.name in self._made or step.name == str(self.root):
                # File systems with a journal of their own write all changes of names at once.
                self._settle(None)
            case Kind.SYNC:
                self._file(step).sync()
                self._settle(self._file(step))
            case Kind.RENAME | Kind.UNLINK | Kind.MKDIR:
                if step.kind is Kind.MKDIR:
                    self._made.add(step.name)
                self._pending.append((step, None))
            case Kind.PRINT:
                pass

    def _file(self, step: Step) -> _File:
        """Return the file of a step; one that was there before the first step is known by its name until then."""
        if step.inode not in self._files:
            self._files[step.inode] = self._names.get(step.name) or _File()
        return self._files[step.inode]

    def _settle(self, synced: _File | None) -> None:
        """Let the changes of names be on the disk: all, or those up to the creation of a file that is synced."""
        places = [place for place, (_, file) in enumerate(self._pending) if synced is None or file is synced]
        count = max(places, default=-1) + 1
        for step, file in self._pending[:count]:
            _rename(self._names, self._folders, step, file)
        del self._pending[:count]

    def cut(self, rng: random.Random, folder: Path) -> None:
        """Write what a power cut leaves now into a folder that is there and empty."""
        names, folders = dict(self._names), set(self._folders)
        for step, file in self._pending[: rng.randint(0, len(self._pending))]:
            _rename(names, folders, step, file)
        for each in sorted(folders):
            self._moved(each, folder).mkdir(parents=True, exist_ok=True)
        for name, file in names.items():
            path = self._moved(name, folder)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.after_a_cut(rng))

    def _moved(self, name: str, folder: Path) -> Path:
        return folder / Path(name).relative_to(self.root)


def flip(folder: Path, rng: random.Random) -> Path | None:
    """Flip one bit of one of a folder's files, and return which; None if all are empty."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.stat().st_size]
    if not files:
        return None
    path = rng.choice(files)
    content = bytearray(path.read_bytes())
    content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    path.write_bytes(content)
    return path


def printed(steps: Iterable[Step]) -> list[str]:
    """Return the whole lines that were printed."""
    text = b"".join(step.data for step in steps if step.kind is Kind.PRINT).decode(errors="replace")
    return text.split("\n")[:-1]


def _apply(content: bytearray, step: Step) -> None:
    if step.kind is Kind.TRUNCATE:
        del content[step.offset :]
        content.extend(bytes(step.offset - len(content)))
        return
    end = step.offset + len(step.data)
    content.extend(bytes(max(0, step.offset - len(content))))
    content[step.offset : end] = step.data


def _pieces(step: Step) -> Iterator[Step]:
    """Yield a write by the sectors that it falls into."""
    if step.kind is not Kind.WRITE:
        yield step
        return
    start, end = step.offset, step.offset + len(step.data)
    while start < end:
        stop = min(end, (start // _SECTOR + 1) * _SECTOR)
        yield Step(Kind.WRITE, step.inode, start, data=step.data[start - step.offset : stop - step.offset])
        start = stop


def _rename(names: dict[str, _File], folders: set[str], step: Step, file: _File | None) -> None:
    match step.kind:
        case Kind.CREATE if file is not None:
            names[step.name] = file
        case Kind.MKDIR:
            folders.add(step.name)
        case Kind.UNLINK:
            names.pop(step.name, None)
        case Kind.RENAME if step.name in names:
            names[step.other] = names.pop(step.name)
