"""Every setting: its default, what it may be, and the comment that stands above it in the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated

from companion.config import checks
from companion.config.devices import CameraConfig, ControlsConfig, StripConfig
from companion.config.kvilt import KviltConfig
from companion.config.setting import Setting
from companion.games.patchwork import Edition, PatchworkError, RuleProfile, Setup
from companion.languages import LANGUAGES
from companion.palette import COLOURS, USUAL

BOARDS = ("mats", "found")
SIDES = ("near", "far", "left", "right")
TEMPERS = ("tidy", "hasty", "forgetful")


@dataclass(frozen=True, slots=True)
class GameConfig:
    """What is played, and by whom."""

    players: Annotated[
        tuple[str, str], Setting(checks.names_of_two, "The names of seat 1 and seat 2.")
    ] = ("Anna", "Boris")
    rules: Annotated[
        RuleProfile,
        Setting(
            checks.member(RuleProfile),
            'Who wins at equal scores: "official" (the first on the last space) or "marker-on-top" (the last).',
        ),
    ] = RuleProfile.OFFICIAL
    edition: Annotated[
        Edition,
        Setting(
            checks.member(Edition),
            'The printing of the time board: "original" (first leather patch after space 20) or "revised" (after 26).',
        ),
    ] = Edition.ORIGINAL
    first_seat: Annotated[int, Setting(checks.whole(1, 2), "Who begins: seat 1 or 2.")] = 1
    market: Annotated[
        tuple[str, ...] | None,
        Setting(
            checks.texts,
            "The circle of patches, clockwise from the neutral token; absent: unknown, so any patch may be taken.",
            '["bar3", ..., "domino"]',
        ),
    ] = None

    circle: Annotated[
        str,
        Setting(
            checks.one_of("seen", "unknown"),
            'Where market is absent: "seen" looks for the circle before the first move, "unknown" does not.',
        ),
    ] = "unknown"
    colours: Annotated[
        tuple[str, str] | None,
        Setting(
            checks.two_of(*COLOURS),
            f"Their colours on the page: two of {', '.join(COLOURS)}; absent: {' and '.join(USUAL)}.",
            '["blue", "orange"]',
        ),
    ] = None

    def setup(self, market: Sequence[str] | None = None) -> Setup:
        """How the game begins; `market` stands in where the configuration does not know the circle.

        Raises:
            SetupError: if the circle cannot be.
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
        """Raise ValueError where the keys do not fit one another."""
        try:
            self.setup()
        except PatchworkError as error:
            raise ValueError(f"market: {str(error).removeprefix('market ')}") from error


@dataclass(frozen=True, slots=True)
class TableConfig:
    """What lies on the table, and who sits where."""

    boards: Annotated[
        str,
        Setting(
            checks.one_of(*BOARDS),
            'How the quilt boards are found: "mats" (printed mats lie under them) or "found" (by themselves, empty).',
        ),
    ] = "mats"
    sides: Annotated[
        tuple[str, str] | None,
        Setting(
            checks.one_or_two_of(*SIDES),
            "Without mats: the edge of the picture at which seat 1 and seat 2 sit; absent: by how the boards lie.",
            '["near", "far"]',
        ),
    ] = None
    swap: Annotated[bool, Setting(checks.flag, "Without mats: whether the other board is seat 1's.")] = False
    calibration: Annotated[
        Path | None,
        Setting(
            checks.file,
            "With mats: the file that companion calibrate wrote; absent: boards are looked for on the mats' frames.",
            '"~/calibration.toml"',
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class ReadingConfig:
    """How pictures become decisions."""

    confidence: Annotated[
        float, Setting(checks.number(0.5, 0.999999), "How sure a reading must be to be taken without a question.")
    ] = 0.95
    settle_frames: Annotated[
        int, Setting(checks.whole(1, 30), "Pictures in a row that must agree before one is read.")
    ] = 2
    hands_free: Annotated[
        bool, Setting(checks.flag, "Whether a settled picture is read without a press of confirm.")
    ] = False
    pause_s: Annotated[
        float,
        Setting(checks.number(0.5, 30), "Hands-free: for so many seconds undo stops what was announced."),
    ] = 2.0


@dataclass(frozen=True, slots=True)
class PageConfig:
    """The page in the browser."""

    enabled: Annotated[bool, Setting(checks.flag, "Whether there is a page.")] = True
    port: Annotated[
        int, Setting(checks.whole(0, 65535), "Its port; where that is taken, one of the ten that follow. 0: any.")
    ] = 8080
    lan: Annotated[
        bool, Setting(checks.flag, "Whether other machines on the network reach it; else this machine alone does.")
    ] = False
    host: Annotated[
        str | None,
        Setting(checks.address, "The address to listen at, with lan; absent: every one.", '"192.168.1.20"'),
    ] = None
    spectators: Annotated[
        bool, Setting(checks.flag, "With lan: whether people without the table's key may watch.")
    ] = True
    open_camera: Annotated[
        bool, Setting(checks.flag, "Whether people who may watch see the camera's pictures without the key, too.")
    ] = False

    def check(self) -> None:
        """Raise ValueError where the keys do not fit one another."""
        if self.host is not None and not self.lan and not ip_address(self.host).is_loopback:
            raise ValueError(f"host: {self.host} is not for this machine alone; allowed: with lan = true")


@dataclass(frozen=True, slots=True)
class DataConfig:
    """Where games are kept."""

    folder: Annotated[
        Path | None,
        Setting(
            checks.folder,
            "The folder of the journal; absent: the user's state folder, ~/.local/state/quilt-companion.",
            '"~/.local/state/quilt-companion"',
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class SimulationConfig:
    """The simulated table."""

    seed: Annotated[
        int, Setting(checks.whole(0, 2**63 - 1), "Everything that chance decides follows from this number.")
    ] = 1
    temper: Annotated[
        tuple[str, str],
        Setting(
            checks.one_or_two_of(*TEMPERS),
            'How the players are: "tidy", "hasty" or "forgetful"; one for both, or a list of one for each seat.',
        ),
    ] = ("tidy", "tidy")
    fps: Annotated[
        float, Setting(checks.number(0.5, 60), "Pictures a second of simulated time while somebody watches.")
    ] = 10.0


@dataclass(frozen=True, slots=True)
class TerminalConfig:
    """What the program says at a terminal."""

    language: Annotated[
        str | None,
        Setting(
            checks.one_of(*LANGUAGES),
            f"Its language: {', '.join(LANGUAGES)}; absent: the terminal's own (LANG). Pages speak their readers'.",
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
