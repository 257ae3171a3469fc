"""Checks that this user and the service's user are in the groups that may use a table's devices."""

from __future__ import annotations

import grp
import os
import pwd
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.languages import listed, said
from companion.upkeep.doctor.finding import Finding, fault, note, ok
from companion.upkeep.install.plan import UNIT, USER

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from companion.upkeep.doctor.machine import Machine

AUDIO: Final = "audio"
DEVICES: Final = {
    AUDIO: ("snd/controlC*", "snd/pcm*"),
    "gpio": ("gpiochip*", "pio*"),
    "input": ("input/event*",),
    "spi": ("spidev*",),
    "video": ("video*", "media*"),
}
"""The device files of each group, as patterns below /dev."""
_ABOUT: Final = said("groups")


@dataclass(frozen=True, slots=True)
class Membership:
    """The groups of this machine and of the users that matter here.

    Attributes:
        mine: the groups of this process.
        coming: the groups that this user has after the next login.
        service: the groups of the service's user; None if there is no such user.
        known: all groups of this machine.
        is_root: whether this user is root, who needs no group.
    """

    mine: frozenset[str]
    coming: frozenset[str]
    service: frozenset[str] | None
    known: frozenset[str]
    is_root: bool


def this_membership() -> Membership:
    """Return the membership of the user who runs this process."""
    names = {group.gr_gid: group.gr_name for group in grp.getgrall()}
    mine = {names.get(number, str(number)) for number in {*os.getgroups(), os.getegid()}}
    try:
        own = pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        # In a container, a user may have a number without a name.
        own = ""
    return Membership(
        frozenset(mine), _of_user(own) or frozenset(), _of_user(USER), frozenset(names.values()), os.geteuid() == 0
    )


def check_groups(needed: Collection[str], membership: Membership, machine: Machine) -> Iterator[Finding]:
    """Yield the findings on whether this user and the service's are in the groups that may use the devices.

    Args:
        needed: the groups that own the devices that are used.
        membership: the groups and their members.
        machine: tells which devices this user may open without a group, as a desktop session grants.
    """
    # A desktop session may grant access to devices (logind's ACLs) without any group.
    closed = sorted(name for name in set(needed) - membership.mine if not _are_open(DEVICES.get(name, ()), machine))
    if membership.is_root:
        yield ok(_ABOUT, said("This user may do everything."))
    elif not closed:
        yield ok(_ABOUT, said("In {names}.", names=listed(sorted(needed))) if membership.mine >= set(needed)
                 else said("This user may use the devices of {names}.", names=listed(sorted(needed))))  # fmt: skip
    else:
        yield from _missing(closed, membership)
    if membership.service is not None:
        yield from _of_service(sorted(set(needed) - membership.service), membership.known)


def _missing(closed: list[str], membership: Membership) -> Iterator[Finding]:
    """Yield a finding for the groups this user is missing: a note for the voice, which no game needs, else a fault."""
    for names, rate, means in (
        ([name for name in closed if name != AUDIO], fault, _UNUSABLE),
        (
            [name for name in closed if name == AUDIO],
            note,
            said("The companion does not speak; everything else works as usual."),
        ),
    ):
        if not names:
            continue
        title = said("This user is not in {names}.", names=listed(names))
        # A process keeps the groups of its login; the user's entry may have changed since.
        if membership.coming >= set(names):
            yield rate(_ABOUT, title, means, said("Log in again: the next login is in {names}.", names=listed(names)))
        else:
            command = _command(names, "$USER", membership.known)
            yield rate(_ABOUT, title, means, said("{command}, then log in again", command=command))


_UNUSABLE: Final = said("Their devices cannot be used, whatever the other checks say.")


def _of_service(missing: list[str], known: Collection[str]) -> Iterator[Finding]:
    if missing:
        title = said("The service’s user, {user}, is not in {names}.", user=USER, names=listed(missing))
        means = said("The service cannot use their devices.")
        do = f"{_command(missing, USER, known)} && sudo systemctl restart {UNIT}"
        yield (note if missing == [AUDIO] else fault)(_ABOUT, title, means, do)


def _command(names: list[str], user: str, known: Collection[str]) -> str:
    """Return the shell command that adds a user to groups, creating those that do not exist."""
    made = [f"sudo groupadd --system {name}" for name in names if name not in known]
    return " && ".join([*made, f"sudo usermod -aG {','.join(names)} {user}"])


def _are_open(patterns: Collection[str], machine: Machine) -> bool:
    """Return whether devices of these names exist and this user may use all of them."""
    devices = [path for pattern in patterns for path in machine.path("/dev").glob(pattern)]
    return bool(devices) and all(machine.reaches(path) for path in devices)


def _of_user(name: str) -> frozenset[str] | None:
    """Return the groups of a user in the system's database, or None if there is no such user."""
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        return None
    numbers = os.getgrouplist(name, entry.pw_gid)
    names = {group.gr_gid: group.gr_name for group in grp.getgrall()}
    return frozenset(names.get(number, str(number)) for number in numbers)
