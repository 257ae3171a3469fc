"""SQLite on a failing disk, simulated by replacing its system calls, as in SQLite's own tests.

SQLite lets tests replace the functions by which it calls the kernel (VFS, `xSetSystemCall`). Its reactions to failures
are real: it rolls back, waits, or gives up.
"""

from __future__ import annotations

import _sqlite3
import ctypes
import errno
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

FAULTS: Final = {
    "full": errno.ENOSPC,
    "failing writes": errno.EIO,
    "failing reads": errno.EIO,
    "locked": errno.EAGAIN,
    "read-only": errno.EROFS,
}
_SET_LOCK: Final = 6
"""F_SETLK of Linux; SQLite uses no other locks."""
_WRITES: Final = os.O_WRONLY | os.O_RDWR

_int, _pointer, _size, _offset = ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int64
_CALLS: Final = {
    "open": (_int, ctypes.c_char_p, _int, _int),
    "pread": (ctypes.c_ssize_t, _int, _pointer, _size, _offset),
    "pread64": (ctypes.c_ssize_t, _int, _pointer, _size, _offset),
    "pwrite": (ctypes.c_ssize_t, _int, _pointer, _size, _offset),
    "pwrite64": (ctypes.c_ssize_t, _int, _pointer, _size, _offset),
    "fcntl": (_int, _int, _int, _pointer),
}
"""The result type and argument types of each call, by name."""


class _Vfs(ctypes.Structure):
    """The part of `sqlite3_vfs`, version 3, that is used."""

    _fields_ = (
        ("version", _int),
        ("file_size", _int),
        ("longest_path", _int),
        ("next", _pointer),
        ("name", ctypes.c_char_p),
        ("data", _pointer),
        ("functions", _pointer * 9),
        ("sleep", _pointer),
        ("clocks", _pointer * 3),
        ("set_call", ctypes.CFUNCTYPE(_int, _pointer, ctypes.c_char_p, _pointer)),
        ("get_call", ctypes.CFUNCTYPE(_pointer, _pointer, ctypes.c_char_p)),
    )


class FaultySQLite:
    """Faults of SQLite's access to the files of one folder; other files are not affected.

    Attributes:
        fault: a key of `FAULTS`, or empty.
        failed: the number of failed calls.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder.resolve())
        self.fault = ""
        self.failed = 0

    @contextmanager
    def mounted(self) -> Iterator[None]:
        """Apply the faults to SQLite's calls in this process; open and close journals within the context."""
        find = ctypes.CDLL(_sqlite3.__file__).sqlite3_vfs_find
        find.argtypes, find.restype = [ctypes.c_char_p], ctypes.POINTER(_Vfs)
        vfs = find(None)
        table, sleep = vfs.contents, vfs.contents.sleep
        kept: list[Any] = []
        for name, types in _CALLS.items():
            place = table.get_call(vfs, name.encode())
            if place:
                kind = ctypes.CFUNCTYPE(*types, use_errno=True)
                kept.append(kind(self._call(name, kind(place))))
                table.set_call(vfs, name.encode(), ctypes.cast(kept[-1], _pointer))
        # SQLite waits for a lock by sleeping; this only pretends to have slept.
        kept.append(ctypes.CFUNCTYPE(_int, _pointer, _int)(lambda _, microseconds: microseconds))
        table.sleep = ctypes.cast(kept[-1], _pointer).value
        try:
            yield
        finally:
            table.sleep = sleep
            for name in _CALLS:
                table.set_call(vfs, name.encode(), None)

    def _call(self, name: str, really: Callable[..., int]) -> Callable[..., int]:
        """Return the replacement of one of SQLite's calls."""

        def called(*values: Any) -> int:
            # Read once, as the fault may end while other threads call.
            fault = self.fault
            if fault and self._fails(fault, name, values):
                self.failed += 1
                ctypes.set_errno(FAULTS[fault])
                return -1
            return really(*values)

        return called

    def _fails(self, fault: str, name: str, values: tuple[Any, ...]) -> bool:
        match fault:
            case "full" | "failing writes":
                return name.startswith("pwrite") and self._is_here(values[0])
            case "failing reads":
                return name.startswith("pread") and self._is_here(values[0])
            case "locked":
                return name == "fcntl" and values[1] == _SET_LOCK and self._is_here(values[0])
            case _:
                return name == "open" and bool(values[1] & _WRITES) and os.fsdecode(values[0]).startswith(self._folder)

    def _is_here(self, descriptor: int) -> bool:
        return os.readlink(f"/proc/self/fd/{descriptor}").startswith(self._folder)  # noqa: PTH115
