"""Root's work in folders of other users, such as the service's."""

import os
import pwd
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from companion.errors import CompanionError

_PROGRAM: Final = (Path(__file__), Path(os.__file__))


@contextmanager
def as_owner_of(folder: Path) -> Iterator[None]:
    """Act as the user to whom a folder belongs, if root runs the program and that is another user.

    What is written meanwhile belongs to that user, and a link that was put there leads only to where that user may go.

    Args:
        folder: the folder, which need not exist.

    Raises:
        CompanionError: that user cannot read this program, which loads parts of itself while it runs.
    """
    owner = _owner_of(folder) if os.geteuid() == 0 else None
    if owner is None:
        yield
        return
    groups, group = os.getgroups(), os.getegid()
    # The user last: only root may change the others. The saved user remains root, so the user cannot interfere.
    os.setgroups(_groups_of(owner))
    os.setegid(owner.st_gid)
    os.seteuid(owner.st_uid)
    try:
        _check_program(folder, owner)
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)
        os.setgroups(groups)


def _owner_of(folder: Path) -> os.stat_result | None:
    """Return the status of the first part of a path that is not root's, as its owner decides what lies below it."""
    for path in (folder.absolute(), Path(os.path.realpath(folder))):
        for part in (*reversed(path.parents), path):
            if not os.path.lexists(part):
                break
            status = part.lstat()
            if status.st_uid != 0:
                return status
    return None


def _groups_of(owner: os.stat_result) -> list[int]:
    try:
        return os.getgrouplist(pwd.getpwuid(owner.st_uid).pw_name, owner.st_gid)
    except KeyError:
        return [owner.st_gid]


def _check_program(folder: Path, owner: os.stat_result) -> None:
    for path in _PROGRAM:
        if not os.access(path, os.R_OK, effective_ids=True):
            raise CompanionError.said(
                "{folder}: belongs to the user {user}, who cannot read this program, {path}; use the installed one",
                folder=str(folder),
                user=str(owner.st_uid),
                path=str(path),
            )
