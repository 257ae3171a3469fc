"""A simulated faulty disk, full, read-only or failing to sync, for the journal's logs."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final
from unittest.mock import patch

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FAULTS: Final = {"full": errno.ENOSPC, "read-only": errno.EROFS, "not syncing": errno.EIO}


class FaultyDisk:
    """A faulty disk for one folder; all other files are not affected.

    Attributes:
        fault: a key of `FAULTS`, or empty.
        failed: the number of failed writes and syncs.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder.resolve())
        self.fault = ""
        self.failed = 0

    @contextmanager
    def mounted(self) -> Iterator[None]:
        """Apply the disk's faults to writes and syncs of this process within the context."""
        pwrite, fdatasync, fsync, opened = os.pwrite, os.fdatasync, os.fsync, os.open

        def writing(descriptor: int, data: bytes, place: int) -> int:
            self._refuse(descriptor, "full")
            return pwrite(descriptor, data, place)

        def data_syncing(descriptor: int) -> None:
            self._refuse(descriptor, "not syncing")
            fdatasync(descriptor)

        def syncing(descriptor: int) -> None:
            self._refuse(descriptor, "not syncing")
            fsync(descriptor)

        def opening(path: str | os.PathLike[str], flags: int, *more: int, **named: int) -> int:
            is_written = bool(flags & (os.O_WRONLY | os.O_RDWR))
            if is_written and self.fault == "read-only" and os.fspath(path).startswith(self._folder):
                self._fail()
            return opened(path, flags, *more, **named)

        with (
            patch("os.pwrite", writing),
            patch("os.fdatasync", data_syncing),
            patch("os.fsync", syncing),
            patch("os.open", opening),
        ):
            yield

    def _refuse(self, descriptor: int, fault: str) -> None:
        if self.fault == fault and os.readlink(f"/proc/self/fd/{descriptor}").startswith(self._folder):  # noqa: PTH115
            self._fail()

    def _fail(self) -> None:
        self.failed += 1
        number = FAULTS[self.fault]
        raise OSError(number, os.strerror(number))
