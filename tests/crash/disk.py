"""A model of a disk, which gives the files left by a power cut between two of a program's steps."""

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
"""The number of bytes that a disk writes atomically."""


class Kind(IntEnum):
    """The kinds of steps, numbered as in `recorder.c`."""

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
    """A step of a program that changes its files or prints.

    Attributes:
        kind: the kind of step.
        inode: the file's inode; 0 if only names are changed, or everything is synced.
        offset: the offset of a write, or the size to which a file is truncated.
        name: the file's or folder's name; empty for printing.
        other: the new name of a renamed file.
        data: the bytes written or printed.
    """

    kind: Kind
    inode: int = 0
    offset: int = 0
    name: str = ""
    other: str = ""
    data: bytes = b""


def steps_in(log: bytes) -> Iterator[Step]:
    """Yield the steps in a log of `recorder.c`, without an incomplete last one."""
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
    """A file's synced content, and the pending changes since."""

    content: bytearray = field(default_factory=bytearray)
    pending: list[Step] = field(default_factory=list)

    def sync(self) -> None:
        """Apply all pending changes."""
        for step in self.pending:
            _apply(self.content, step)
        self.pending.clear()

    def after_a_cut(self, rng: random.Random) -> bytes:
        """Return the content left by a power cut: any subset of the pending changes, torn at sectors, is applied."""
        content = bytearray(self.content)
        done = [piece for step in self.pending for piece in _pieces(step)]
        share = rng.choice((0.0, 0.1, 0.5, 0.9, 1.0))
        for piece in done:
            if rng.random() < share:
                _apply(content, piece)
        return bytes(content)


@dataclass(slots=True)
class Disk:
    """A model of one folder's files.

    A name is durable once its folder or the file is synced, as on ext4, XFS and btrfs. Of later changes of names, a
    random number of the first are applied, in order.

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
        """Take the files in a copy of the folder as the initial state; the copy may be missing."""
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
            case Kind.SYNC if not step.name:
                for file in {id(file): file for file in (*self._names.values(), *self._files.values())}.values():
                    file.sync()
                self._settle(None)
            case Kind.SYNC if step.name in self._made or step.name == str(self.root):
                # Journaling file systems commit all pending changes of names at once.
                self._settle(None)
            case Kind.SYNC:
                self._file(step).sync()
                self._settle(self._file(step))
            case Kind.RENAME | Kind.UNLINK | Kind.MKDIR:
                if step.kind is Kind.MKDIR:
                    self._made.add(step.name)
                else:
                    self._made |= {step.other + each.removeprefix(step.name) for each in _below(step.name, self._made)}
                self._pending.append((step, None))
            case Kind.PRINT:
                pass

    def _file(self, step: Step) -> _File:
        """Return the file of a step, by inode, or, at the first step of an initial file, by name."""
        if step.inode not in self._files:
            self._files[step.inode] = self._names.get(step.name) or _File()
        return self._files[step.inode]

    def _settle(self, synced: _File | None) -> None:
        """Apply the pending changes of names: all, or those up to the creation of a synced file."""
        places = [place for place, (_, file) in enumerate(self._pending) if synced is None or file is synced]
        count = max(places, default=-1) + 1
        for step, file in self._pending[:count]:
            _rename(self._names, self._folders, step, file)
        del self._pending[:count]

    def cut(self, rng: random.Random, folder: Path) -> None:
        """Write the files that a power cut would leave now into an existing, empty folder."""
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


def flip(folder: Path, rng: random.Random) -> dict[Path, bytes]:
    """Flip a random bit in one of a folder's files, or in two, a log and the index; return their contents by path."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.stat().st_size]
    logs = [path for path in files if path.suffix == ".log"]
    index = [path for path in files if path.name.endswith(("sqlite3", "-wal"))]
    if logs and index and rng.random() < 0.5:
        chosen = [rng.choice(logs), rng.choice(index)]
    else:
        chosen = rng.sample(files, min(1, len(files)))
    return {path: damage(path, rng, "flip") for path in chosen}


def damage(path: Path, rng: random.Random, how: str) -> bytes:
    """Replace a file by one in which a bit is flipped, a block is zeroed, or the end is missing; return its content."""
    content = bytearray(path.read_bytes())
    place = rng.randrange(len(content))
    if how == "flip":
        content[place] ^= 1 << rng.randrange(8)
    elif how == "cut":
        del content[place:]
    else:
        start = place // 512 * 512
        content[start : start + 512] = bytes(len(content[start : start + 512]))
    # Another inode: what a disk changes is found at the next start, by which time anything may have changed.
    path.unlink()
    path.write_bytes(content)
    return bytes(content)


def printed(steps: Iterable[Step]) -> list[str]:
    """Return the complete lines printed."""
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
    """Yield a write in parts of one sector each."""
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
        case Kind.RENAME if step.name in folders:
            for each in _below(step.name, names):
                names[step.other + each.removeprefix(step.name)] = names.pop(each)
            for each in _below(step.name, folders):
                folders.remove(each)
                folders.add(step.other + each.removeprefix(step.name))


def _below(folder: str, names: Iterable[str]) -> list[str]:
    """Return those of some names that are a folder's, its own included."""
    return [name for name in names if name == folder or name.startswith(f"{folder}/")]
