"""The configuration: one TOML file, whose sections are values; `companion.config.text` reads and writes it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from ipaddress import ip_address
from pathlib import Path
from typing import Final, TypeVar

from companion.config.broker import MqttConfig
from companion.games.strategy import LEVEL_CHOICES, Level, LevelChoice, level_named
from companion.languages import LANGUAGES, any_of, said
from companion.settings import (
    Check,
    GameSettings,
    Section,
    file,
    flag,
    folder,
    list_of,
    number,
    one_of,
    quoted,
    refuse,
    setting,
    whole,
)
from hardware.driver import CameraDriver, ControlsDriver, DriverT, StripDriver, VoiceDriver, drivers

_HOST_NAME: Final = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*", re.IGNORECASE)


def address(value: object) -> str:
    """Return an IP address for a server to listen at."""
    with suppress(ValueError):
        if isinstance(value, str):
            return str(ip_address(value))
    raise refuse(value, said("an IP address, such as {example}", example='"192.168.1.20"'))


def _reach(host: str | None, *, lan: bool) -> None:
    """Check that an address to listen at is a loopback one, unless `lan` opens it to the network."""
    if host is not None and not lan and not ip_address(host).is_loopback:
        raise ValueError(
            said(
                "{key}: {value} is reachable from other machines; allowed: with {other}",
                key="host",
                value=host,
                other="lan = true",
            )
        )


def one_or_two_of(*names: str) -> Check[tuple[str, str]]:
    """Return a check for one of these names for both seats, or a list of one for each seat."""
    allowed = said("{names}, or a list of two of them", names=quoted(names))
    pair: Check[tuple[str, str]] = list_of(lambda name: name in names, allowed, 2, 2)
    return lambda value: pair([value, value] if value in names else value)


GameT = TypeVar("GameT", bound=GameSettings)


def _lan() -> bool:
    return setting(False, flag, said("Whether other machines on the network can reach it, or only this machine."))


def _host() -> str | None:
    says = said("The address to listen at, with {key}; absent: all addresses.", key="lan")
    return setting(None, address, says, '"192.168.1.20"')


def _is_host_name(value: object) -> bool:
    return isinstance(value, str) and _HOST_NAME.fullmatch(value) is not None


def _names() -> tuple[str, ...]:
    example = '["quilt.example.org"]'
    says = said(
        "Further names by which browsers may call this machine; its own is known, also with {ends}.",
        ends=".local, .lan, .home.arpa, .fritz.box",
    )
    return setting((), list_of(_is_host_name, said("a list of host names, such as {example}", example=example)), says)


def database(value: object) -> str:
    """Return the address of a database."""
    # SQLAlchemy knows more kinds, but only these two are tested and have their drivers installed.
    if isinstance(value, str) and value.startswith(("sqlite:///", "postgresql://")) and value.isprintable():
        return value
    example = '"postgresql:///hall", "sqlite:////var/lib/quilt-hall/hall.sqlite3"'
    raise refuse(value, said("the address of a database, such as {example}", example=example))


@dataclass(frozen=True, slots=True)
class HallConfig(Section):
    """The section on a club's hall, for `companion hall`; the hall follows the tables at the broker of `[mqtt]`."""

    title = said("A club’s hall, which collects all tables")

    database: str | None = setting(
        None,
        database,
        said("Where everything is collected; absent: an SQLite file in the data folder."),
        '"postgresql:///hall"',
    )
    port: int = setting(
        8090, whole(0, 65535), said("The port of its page; if it is in use, one of the next ten. {any}: any.", any=0)
    )
    lan: bool = _lan()
    host: str | None = _host()
    names: tuple[str, ...] = _names()

    def check(self) -> None:
        """Raise ValueError if the keys contradict one another."""
        _reach(self.host, lan=self.lan)


BOARDS = ("mats", "found")
SIDES = ("near", "far", "left", "right")
TEMPERS = ("tidy", "hasty", "forgetful")
SIMULATED_TABLES = (
    "evening", "desk-lamp", "window", "television", "dim", "two-lamps", "glossy", "wide-lens", "camouflage",
    "paper-tags", "home-made", "sloppy", "hard", "phone-camera", "cheap-webcam", "swaying", "sagging", "breathing",
    "out-of-focus", "smeared", "flicker", "compressed", "upside-down",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TableConfig(Section):
    """The section on the boards on the table, and the sides that the players sit at."""

    title = said("What lies on the table, and who sits where")

    boards: str = setting(
        "mats",
        one_of(*BOARDS),
        said(
            "How the quilt boards are found: {mats} (printed mats lie under them) or {found} (without mats, "
            "while they are empty).",
            mats='"mats"',
            found='"found"',
        ),
    )
    sides: tuple[str, str] | None = setting(
        None,
        one_or_two_of(*SIDES),
        said(
            "Without mats: the edges of the picture at which seat {first} and seat {last} sit; absent: judged "
            "by how the boards lie.",
            first=1,
            last=2,
        ),
        '["near", "far"]',
    )
    swap: bool = setting(
        False, flag, said("Without mats: whether to swap the boards, so that the other one is seat {seat}’s.", seat=1)
    )
    calibration: Path | None = setting(
        None,
        file,
        said(
            "With mats: the file written by {command}; absent: boards are looked for on the mats’ frames.",
            command="companion calibrate",
        ),
        '"~/calibration.toml"',
    )
    time_board: str = setting(
        "ignored",
        one_of("followed", "ignored"),
        said(
            "The time board and both markers: {followed} (the camera looks for them and gives hints) or {ignored}.",
            followed='"followed"',
            ignored='"ignored"',
        ),
    )
    time_board_print: Path | None = setting(
        None,
        file,
        said(
            "The file of the time board’s printing, written by {command}; absent: one of the known printings.",
            command="companion time-board",
        ),
        '"~/time-board.toml"',
    )


@dataclass(frozen=True, slots=True)
class ReadingConfig(Section):
    """The section on the reading of decisions from pictures."""

    title = said("How pictures become decisions")

    hands_free: bool = setting(
        False, flag, said("Whether a picture is read as soon as it settles, without a press of confirm.")
    )
    pause_s: float = setting(
        2.0, number(0.5, 30), said("Hands-free: for how many seconds undo can stop an announced decision.")
    )


@dataclass(frozen=True, slots=True)
class PageConfig(Section):
    """The section on the page in the browser."""

    title = said("The page in the browser")

    enabled: bool = setting(True, flag, said("Whether there is a page."))
    port: int = setting(
        8080, whole(0, 65535), said("Its port; if that is in use, one of the next ten. {any}: any.", any=0)
    )
    lan: bool = _lan()
    host: str | None = _host()
    names: tuple[str, ...] = _names()
    spectators: bool = setting(
        True, flag, said("With {key}: whether people without the table’s key may watch.", key="lan")
    )
    open_camera: bool = setting(
        False, flag, said("Whether people who may watch can also see the camera’s pictures without the key.")
    )
    https: bool = setting(
        False,
        flag,
        said(
            "With {key}: whether the page is also served encrypted, so that phones may use their cameras; the table’s "
            "key is sent over nothing else then.",
            key="lan",
        ),
    )
    https_port: int = setting(8443, whole(0, 65535), said("The port of the encrypted page; {any}: any.", any=0))
    certificate: Path | None = setting(
        None,
        file,
        said("A certificate of your own with its chain, as PEM; absent: one of the table’s own authority."),
        '"~/fullchain.pem"',
    )
    certificate_key: Path | None = setting(None, file, said("The key of that certificate."), '"~/privkey.pem"')

    def check(self) -> None:
        """Raise ValueError if the keys contradict one another."""
        _reach(self.host, lan=self.lan)
        if (self.certificate is None) != (self.certificate_key is None):
            raise ValueError(
                said("{key} and {other} belong together: give both", key="certificate", other="certificate_key")
            )


@dataclass(frozen=True, slots=True)
class DataConfig(Section):
    """The section on the data folder."""

    title = said("Where games are kept")

    folder: Path | None = setting(
        None,
        folder,
        said(
            "The folder of the journal; absent: the user’s state folder, {folder}.",
            folder="~/.local/state/quilt-companion",
        ),
        '"~/.local/state/quilt-companion"',
    )
    looks: int = setting(
        12,
        whole(0, 100),
        said(
            "How many of the latest looks at a quilt are kept for {command}, with all but the table blurred; 0: none.",
            command="companion report",
        ),
    )


@dataclass(frozen=True, slots=True)
class SimulationConfig(Section):
    """The section on the simulated table."""

    title = said("The simulated table")

    seed: int = setting(1, whole(0, 2**63 - 1), said("The seed of everything random."))
    temper: tuple[str, str] = setting(
        ("tidy", "tidy"),
        one_or_two_of(*TEMPERS),
        said(
            "How the players play: {tempers}; one for both, or a list with one for each seat.",
            tempers=any_of([f'"{temper}"' for temper in TEMPERS]),
        ),
    )
    table: str = setting(
        "evening",
        one_of(*SIMULATED_TABLES),
        said(
            "The lighting, photographing, printing and playing at the table: {tables}.",
            tables=any_of([f'"{table}"' for table in SIMULATED_TABLES]),
        ),
    )


MOST_HANDICAP: Final = 20
"""The most buttons more with which a player can begin."""


def _level(value: object) -> LevelChoice:
    return level_named(one_of(*LEVEL_CHOICES)(value))


@dataclass(frozen=True, slots=True)
class PartnerConfig(Section):
    """The section on the partner, which can have a seat: the robot, or a friend at another table.

    Attributes:
        code: the code of a game with a friend; None for one with the robot. No key, as every game has its own.
    """

    title = said("The partner that has a seat at the table: the robot, or a friend at another table")

    seat: int | None = setting(
        None, whole(1, 4), said("The seat that the robot has; people carry out what it decides. Absent: none."), "2"
    )
    level: LevelChoice = setting(
        Level.CASUAL,
        _level,
        said("How well it plays: {names}.", names=", ".join(f'"{each}"' for each in LEVEL_CHOICES)),
    )
    handicap: int = setting(
        0,
        whole(-MOST_HANDICAP, MOST_HANDICAP),
        said("How many more buttons than the robot the other player begins with; below 0, the robot has more."),
    )
    seconds: float = setting(2.0, number(0.1, 60), said("For how many seconds it thinks at most."))
    lay_friends: bool = setting(
        True,
        flag,
        said("Whether the patches of a friend at another table are laid here, too; otherwise only the page has them."),
    )
    code: str | None = None


@dataclass(frozen=True, slots=True)
class TerminalConfig(Section):
    """The section on the output in a terminal."""

    title = said("What the program says at a terminal")

    language: str | None = setting(
        None,
        one_of(*LANGUAGES),
        said(
            "Its language: {names}; absent: the terminal’s own ({variable}). Pages use each reader’s language.",
            names=", ".join(LANGUAGES),
            variable="LANG",
        ),
        '"ru"',
    )


def _default(kind: type[DriverT]) -> DriverT:
    return drivers(kind)[kind.default]()


@dataclass(frozen=True, slots=True)
class Config:
    """The whole configuration; each field is a section of the file.

    Attributes:
        games: the games' sections that are not as usual, by name; `of` returns any game's.
    """

    camera: CameraDriver = field(default_factory=lambda: _default(CameraDriver))
    controls: ControlsDriver = field(default_factory=lambda: _default(ControlsDriver))
    strip: StripDriver = field(default_factory=lambda: _default(StripDriver))
    reading: ReadingConfig = field(default_factory=ReadingConfig)
    data: DataConfig = field(default_factory=DataConfig)
    simulation: SimulationConfig = field(default_factory=SimulationConfig)
    page: PageConfig = field(default_factory=PageConfig)
    table: TableConfig = field(default_factory=TableConfig)
    terminal: TerminalConfig = field(default_factory=TerminalConfig)
    voice: VoiceDriver = field(default_factory=lambda: _default(VoiceDriver))
    partner: PartnerConfig = field(default_factory=PartnerConfig)
    mqtt: MqttConfig = field(default_factory=MqttConfig)
    hall: HallConfig = field(default_factory=HallConfig)
    games: Mapping[str, GameSettings] = field(default_factory=dict)

    def of(self, kind: type[GameT]) -> GameT:
        """Return the section of a game, declared as `kind`."""
        found = self.games.get(kind.section)
        return found if isinstance(found, kind) else kind()

    def section(self, name: str) -> Section | None:
        """Return a section by its name; None for a game's that is as usual."""
        found: Section | None = self.games.get(name) or getattr(self, name, None)
        return found

    def with_section(self, name: str, **values: object) -> Config:
        """Return the configuration with other values in a section that `section` returns."""
        if name in self.games:
            return self.with_game(replace(self.games[name], **values))
        return replace(self, **{name: replace(getattr(self, name), **values)})

    def with_game(self, settings: GameSettings) -> Config:
        """Return the configuration with another section of a game."""
        others = {name: each for name, each in self.games.items() if name != settings.section}
        # The usual ones are left out, so that equal configurations compare equal.
        return replace(self, games=others if settings == type(settings)() else {**others, settings.section: settings})
