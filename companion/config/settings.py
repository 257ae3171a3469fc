"""All settings, with their defaults, allowed values, and comments for the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, TypeAlias

from companion.config import checks
from companion.config.checks import Setting
from companion.config.devices import CameraConfig, ControlsConfig, StripConfig, VoiceConfig
from companion.config.kvilt import KviltConfig
from companion.config.mqtt import MqttConfig
from companion.config.palette import COLOURS, USUAL
from companion.games.patchwork import Edition, PatchworkError, RuleProfile, Setup
from companion.languages import LANGUAGES, all_of, any_of, reason, said

LanKey: TypeAlias = Annotated[
    bool, Setting(checks.flag, said("Whether other machines on the network can reach it, or only this machine."))
]
HostKey: TypeAlias = Annotated[
    str | None,
    Setting(
        checks.address,
        said("The address to listen at, with {key}; absent: all addresses.", key="lan"),
        '"192.168.1.20"',
    ),
]


def database(value: object) -> str:
    """Return the address of a database."""
    # SQLAlchemy knows more kinds, but only these two are tested and have their drivers installed.
    if isinstance(value, str) and value.startswith(("sqlite:///", "postgresql://")) and value.isprintable():
        return value
    example = '"postgresql:///hall", "sqlite:////var/lib/quilt-hall/hall.sqlite3"'
    raise checks.refuse(value, said("the address of a database, such as {example}", example=example))


@dataclass(frozen=True, slots=True)
class HallConfig:
    """The section on a club's hall, for `companion hall`; the hall follows the tables at the broker of `[mqtt]`."""

    database: Annotated[
        str | None,
        Setting(
            database,
            said("Where everything is collected; absent: an SQLite file in the data folder."),
            '"postgresql:///hall"',
        ),
    ] = None
    port: Annotated[
        int,
        Setting(
            checks.whole(0, 65535),
            said("The port of its page; if it is in use, one of the next ten. {any}: any.", any=0),
        ),
    ] = 8090
    lan: LanKey = False
    host: HostKey = None

    def check(self) -> None:
        """Raise ValueError if the keys contradict one another."""
        checks.reach(self.host, lan=self.lan)


BOARDS = ("mats", "found")
SIDES = ("near", "far", "left", "right")
TEMPERS = ("tidy", "hasty", "forgetful")
SIMULATED_TABLES = (
    "evening", "desk-lamp", "window", "television", "dim", "two-lamps", "glossy", "wide-lens", "camouflage",
    "paper-tags", "home-made", "sloppy", "hard",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class GameConfig:
    """The section on the game and its players."""

    players: Annotated[
        tuple[str, str],
        Setting(checks.names_of_two, said("The names of seat {first} and seat {last}.", first=1, last=2)),
    ] = (
        "Anna",
        "Boris",
    )
    rules: Annotated[
        RuleProfile,
        Setting(
            checks.member(RuleProfile),
            said(
                "Who wins a tie: {official} (the first player on the last space) or {other} (the last).",
                official='"official"',
                other='"marker-on-top"',
            ),
        ),
    ] = RuleProfile.OFFICIAL
    edition: Annotated[
        Edition,
        Setting(
            checks.member(Edition),
            said(
                "The printing of the time board: {original} (first leather patch just before space {early}) or "
                "{revised} (just before {late}).",
                original='"original"',
                early=20,
                revised='"revised"',
                late=26,
            ),
        ),
    ] = Edition.ORIGINAL
    first_seat: Annotated[
        int, Setting(checks.whole(1, 2), said("Who starts: seat {first} or {last}.", first=1, last=2))
    ] = 1
    market: Annotated[
        tuple[str, ...] | None,
        Setting(
            checks.texts,
            said(
                "The circle of patches, clockwise from the neutral token; absent: unknown, so any patch may be taken."
            ),
            '["bar3", ..., "domino"]',
        ),
    ] = None

    circle: Annotated[
        str,
        Setting(
            checks.one_of("seen", "unknown"),
            said(
                "If {key} is absent: {seen} looks for the circle before the first move, {unknown} does not.",
                key="market",
                seen='"seen"',
                unknown='"unknown"',
            ),
        ),
    ] = "unknown"
    colours: Annotated[
        tuple[str, str] | None,
        Setting(
            checks.two_of(*COLOURS),
            said(
                "The players’ colours on the page, the strip and the terminal: two of {names}; absent: {usual}.",
                names=", ".join(COLOURS),
                usual=all_of(USUAL),
            ),
            '["black", "white"]',
        ),
    ] = None

    def setup(self, market: Sequence[str] | None = None) -> Setup:
        """Return the setup of a game; `market` is used if the configuration has no circle.

        Raises:
            SetupError: if the circle is not a valid one.
        """
        circle = self.market if self.market is not None else market
        return Setup(
            rules=self.rules,
            edition=self.edition,
            players=self.players,
            first_seat=self.first_seat,
            market=None if circle is None else tuple(circle),
        )

    def check(self) -> None:
        """Raise ValueError if the keys contradict one another."""
        try:
            # The rules themselves decide what fits together, so that both never differ.
            self.setup()
        except PatchworkError as error:
            raise ValueError(reason(error)) from error


@dataclass(frozen=True, slots=True)
class TableConfig:
    """The section on the boards on the table, and the sides that the players sit at."""

    boards: Annotated[
        str,
        Setting(
            checks.one_of(*BOARDS),
            said(
                "How the quilt boards are found: {mats} (printed mats lie under them) or {found} (without mats, "
                "while they are empty).",
                mats='"mats"',
                found='"found"',
            ),
        ),
    ] = "mats"
    sides: Annotated[
        tuple[str, str] | None,
        Setting(
            checks.one_or_two_of(*SIDES),
            said(
                "Without mats: the edges of the picture at which seat {first} and seat {last} sit; absent: judged "
                "by how the boards lie.",
                first=1,
                last=2,
            ),
            '["near", "far"]',
        ),
    ] = None
    swap: Annotated[
        bool,
        Setting(
            checks.flag,
            said("Without mats: whether to swap the boards, so that the other one is seat {seat}’s.", seat=1),
        ),
    ] = False
    calibration: Annotated[
        Path | None,
        Setting(
            checks.file,
            said(
                "With mats: the file written by {command}; absent: boards are looked for on the mats’ frames.",
                command="companion calibrate",
            ),
            '"~/calibration.toml"',
        ),
    ] = None
    time_board: Annotated[
        str,
        Setting(
            checks.one_of("followed", "ignored"),
            said(
                "The time board and both markers: {followed} (the camera looks for them and gives hints) or {ignored}.",
                followed='"followed"',
                ignored='"ignored"',
            ),
        ),
    ] = "ignored"
    time_board_print: Annotated[
        Path | None,
        Setting(
            checks.file,
            said(
                "The file of the time board’s printing, written by {command}; absent: one of the known printings.",
                command="companion time-board",
            ),
            '"~/time-board.toml"',
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class ReadingConfig:
    """The section on the reading of decisions from pictures."""

    confidence: Annotated[
        float,
        Setting(checks.number(0.5, 0.999999), said("How certain a reading must be to be accepted without a question.")),
    ] = 0.95
    settle_frames: Annotated[
        int, Setting(checks.whole(1, 30), said("How many pictures in a row must agree before one is read."))
    ] = 2
    hands_free: Annotated[
        bool, Setting(checks.flag, said("Whether a picture is read as soon as it settles, without a press of confirm."))
    ] = False
    pause_s: Annotated[
        float,
        Setting(checks.number(0.5, 30), said("Hands-free: for how many seconds undo can stop an announced decision.")),
    ] = 2.0


@dataclass(frozen=True, slots=True)
class PageConfig:
    """The section on the page in the browser."""

    enabled: Annotated[bool, Setting(checks.flag, said("Whether there is a page."))] = True
    port: Annotated[
        int,
        Setting(
            checks.whole(0, 65535),
            said("Its port; if that is in use, one of the next ten. {any}: any.", any=0),
        ),
    ] = 8080
    lan: LanKey = False
    host: HostKey = None
    spectators: Annotated[
        bool, Setting(checks.flag, said("With {key}: whether people without the table’s key may watch.", key="lan"))
    ] = True
    open_camera: Annotated[
        bool,
        Setting(checks.flag, said("Whether people who may watch can also see the camera’s pictures without the key.")),
    ] = False

    def check(self) -> None:
        """Raise ValueError if the keys contradict one another."""
        checks.reach(self.host, lan=self.lan)


@dataclass(frozen=True, slots=True)
class DataConfig:
    """The section on the data folder."""

    folder: Annotated[
        Path | None,
        Setting(
            checks.folder,
            said(
                "The folder of the journal; absent: the user’s state folder, {folder}.",
                folder="~/.local/state/quilt-companion",
            ),
            '"~/.local/state/quilt-companion"',
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class SimulationConfig:
    """The section on the simulated table."""

    seed: Annotated[int, Setting(checks.whole(0, 2**63 - 1), said("The seed of everything random."))] = 1
    temper: Annotated[
        tuple[str, str],
        Setting(
            checks.one_or_two_of(*TEMPERS),
            said(
                "How the players play: {tempers}; one for both, or a list with one for each seat.",
                tempers=any_of([f'"{temper}"' for temper in TEMPERS]),
            ),
        ),
    ] = ("tidy", "tidy")
    fps: Annotated[
        float, Setting(checks.number(0.5, 60), said("Pictures per second of simulated time while somebody watches."))
    ] = 10.0
    table: Annotated[
        str,
        Setting(
            checks.one_of(*SIMULATED_TABLES),
            said(
                "The lighting, photographing, printing and playing at the table: {tables}.",
                tables=any_of([f'"{table}"' for table in SIMULATED_TABLES]),
            ),
        ),
    ] = "evening"


@dataclass(frozen=True, slots=True)
class TerminalConfig:
    """The section on the output in a terminal."""

    language: Annotated[
        str | None,
        Setting(
            checks.one_of(*LANGUAGES),
            said(
                "Its language: {names}; absent: the terminal’s own ({variable}). Pages use each reader’s language.",
                names=", ".join(LANGUAGES),
                variable="LANG",
            ),
            '"ru"',
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class Config:
    """The whole configuration; each field is a section of the file."""

    game: GameConfig = field(default_factory=GameConfig)
    camera: CameraConfig = field(default_factory=CameraConfig)
    controls: ControlsConfig = field(default_factory=ControlsConfig)
    strip: StripConfig = field(default_factory=StripConfig)
    reading: ReadingConfig = field(default_factory=ReadingConfig)
    data: DataConfig = field(default_factory=DataConfig)
    simulation: SimulationConfig = field(default_factory=SimulationConfig)
    page: PageConfig = field(default_factory=PageConfig)
    table: TableConfig = field(default_factory=TableConfig)
    kvilt: KviltConfig = field(default_factory=KviltConfig)
    terminal: TerminalConfig = field(default_factory=TerminalConfig)
    voice: VoiceConfig = field(default_factory=VoiceConfig)
    mqtt: MqttConfig = field(default_factory=MqttConfig)
    hall: HallConfig = field(default_factory=HallConfig)
