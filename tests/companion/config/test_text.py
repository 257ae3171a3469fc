from __future__ import annotations

import re
import tomllib
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.config import (
    Config,
    DataConfig,
    HallConfig,
    PageConfig,
    PartnerConfig,
    ReadingConfig,
    SimulationConfig,
    TableConfig,
    TerminalConfig,
)
from companion.config import text as files
from companion.config.broker import Broker, MqttConfig
from companion.config.text import ConfigError
from companion.configuration import SECTIONS, config_text, load_config, parse_config
from companion.games.patchwork.components import PATCHES, Edition
from companion.games.patchwork.errors import SetupError
from companion.games.patchwork.state import RuleProfile
from companion.kvilt import sheets
from companion.kvilt.settings import KviltSettings
from companion.patchwork.settings import PatchworkSettings
from companion.settings import GameSettings
from hardware.drivers.gpio import GpioDriver
from hardware.drivers.piper import PiperDriver
from hardware.drivers.webcam import WebcamDriver
from hardware.drivers.wled import WledDriver
from tests.dominoes.settings import DominoesSettings

CIRCLE = [*(patch for patch in PATCHES if patch != "domino"), "domino"]


def test_an_empty_text_gives_the_defaults() -> None:
    assert parse_config("", "empty.toml") == Config()
    assert load_config(None) == Config()


SHEET = Path(sheets.__file__).parent / "companion-a.toml"
USUAL = KviltSettings()
TURNED = {key.name: not value for key in fields(USUAL) if isinstance(value := getattr(USUAL, key.name), bool)}
EVERY_KEY: dict[str, tuple[str, Any]] = {
    "patchwork": (
        f"""players = ["Zoë", "Li"]; rules = "marker-on-top"; edition = "revised"; first_seat = 2
        market = {CIRCLE}; colours = ["blue", "rose"]; circle = "seen\"""",
        PatchworkSettings(
            ("Zoë", "Li"), RuleProfile.MARKER_ON_TOP, Edition.REVISED, 2, tuple(CIRCLE), "seen", ("blue", "rose")
        ),
    ),
    "camera": (
        """driver = "webcam"; size = [640, 480]; fps = 5; device = "/dev/video2"; path = "/tmp/evening.mp4"
        mains_hz = 60; lens_position = 1; exposure_us = 9000; white_balance_k = 4500; focus = 30
        rotate = 180; flip = true; url = "rtsp://anna:secret@hall/table"; password_file = "/etc/camera.password\"""",
        WebcamDriver((640, 480), 5.0, 180, True, 60, 9000.0, "/dev/video2", 4500.0, 30),
    ),
    "controls": (
        """driver = "gpio"; debounce_s = 0.1; hold_confirm = "undo"; confirm_pins = [5, 6]
        advance_pins = [13]; undo_pins = []; lamp_pins = [19, 26]; pull = "down"
        keys = ["confirm KEY_A 0001:0002"]; grab = false""",
        GpioDriver(
            debounce_s=0.1,
            hold_confirm="undo",
            confirm_pins=(5, 6),
            advance_pins=(13,),
            undo_pins=(),
            lamp_pins=(19, 26),
            pull="down",
        ),
    ),
    "strip": (
        """driver = "wled"; pin = 18; order = "RGB"; wled_host = "wled.local"; pixels = 30; brightness = 1
        gamma = 1.8; max_ma = 500; reversed = true; first_pixel = 2""",
        WledDriver(
            pixels=30, brightness=1.0, gamma=1.8, max_ma=500, reversed=True, first_pixel=2, wled_host="wled.local"
        ),
    ),
    "reading": (
        "hands_free = true; pause_s = 3.5",
        ReadingConfig(hands_free=True, pause_s=3.5),
    ),
    "data": ('folder = "/var/lib/quilt"\nlooks = 3', DataConfig(Path("/var/lib/quilt"), 3)),
    "simulation": (
        'seed = 9; temper = ["hasty", "forgetful"]; table = "dim"',
        SimulationConfig(9, ("hasty", "forgetful"), "dim"),
    ),
    "partner": (
        'seat = 2; level = "adaptive"; handicap = -3; seconds = 5.0; lay_friends = false',
        PartnerConfig(2, "adaptive", -3, 5.0, lay_friends=False),
    ),
    "page": (
        'enabled = false; port = 80; lan = true; host = "192.168.1.20"; spectators = false; open_camera = true\n'
        'names = ["quilt.example.org"]; https = true; https_port = 444\n'
        'certificate = "/c.pem"; certificate_key = "/k.pem"',
        PageConfig(
            https=True,
            https_port=444,
            certificate=Path("/c.pem"),
            certificate_key=Path("/k.pem"),
            enabled=False,
            port=80,
            lan=True,
            host="192.168.1.20",
            names=("quilt.example.org",),
            spectators=False,
            open_camera=True,
        ),
    ),
    "table": (
        'boards = "found"; sides = ["left", "right"]; swap = true; calibration = "/table.toml"; '
        'time_board = "followed"\ntime_board_print = "/print.toml"',
        TableConfig(
            "found",
            ("left", "right"),
            swap=True,
            calibration=Path("/table.toml"),
            time_board="followed",
            time_board_print=Path("/print.toml"),
        ),
    ),
    "kvilt": (
        f'''players = ["A", "B", "C"]; first_seat = 3; sheet = "{SHEET}"
        themes = ["plants", "jewels"]; bag = "real"; variants = ["all-counted"]; '''
        + "; ".join(f"{key} = {str(flag).lower()}" for key, flag in TURNED.items()),
        KviltSettings(
            players=("A", "B", "C"),
            first_seat=3,
            sheet=SHEET,
            themes=("plants", "jewels"),
            bag="real",
            variants=("all-counted",),
            **TURNED,
        ),
    ),
    "terminal": ('language = "fa"', TerminalConfig("fa")),
    "mqtt": (
        """broker = "mqtts://hall.local"; username = "table-3"; password_file = "/mqtt.password"; ca = "/ca.pem"
        prefix = "club/quilt"; table = "table-3"; name = "Table 3"; home_assistant = "ha"; buttons = true
        camera = true""",
        MqttConfig(
            Broker("hall.local", 8883, tls=True),
            "table-3",
            Path("/mqtt.password"),
            Path("/ca.pem"),
            "club/quilt",
            "table-3",
            "Table 3",
            "ha",
            buttons=True,
            camera=True,
        ),
    ),
    "hall": (
        'database = "postgresql:///hall"; port = 80; lan = true; host = "192.168.1.20"; names = ["hall"]',
        HallConfig("postgresql:///hall", 80, lan=True, host="192.168.1.20", names=("hall",)),
    ),
    "voice": (
        'driver = "piper"; voices = "/voices"; language = "ru"',
        PiperDriver(voices=Path("/voices"), language="ru"),
    ),
}
"""Every key by section, a semicolon between two on one line, and its value; none has its default."""


@pytest.mark.parametrize("section", EVERY_KEY)
def test_every_key_is_read(section: str) -> None:
    keys, says = EVERY_KEY[section]
    text = f"[{section}]\n" + keys.replace("; ", "\n")
    config = Config().with_game(says) if isinstance(says, GameSettings) else replace(Config(), **{section: says})
    assert parse_config(text, "all.toml") == config


def test_every_key_there_is_was_tried() -> None:
    of_games = {kind.section: kind() for kind in SECTIONS.own}
    usual = {item.name: getattr(Config(), item.name) for item in fields(Config) if item.name != "games"} | of_games
    assert set(EVERY_KEY) == set(usual)
    for section, (keys, says) in EVERY_KEY.items():
        default = {entry.key: entry.value for entry in usual[section].entries()}
        printed = {entry.key: entry.value for entry in says.entries()}
        tried = set(tomllib.loads(keys.replace("; ", "\n")))
        assert tried == set(default), section
        own = {key for key in default if hasattr(says, key)}
        assert [key for key in own if printed[key] == default[key]] == [], section


def test_the_section_of_an_installed_game_is_read_and_printed() -> None:
    games = SECTIONS._replace(installed=lambda: (DominoesSettings,))
    config = files.parse_config('[dominoes]\nplayers = ["A", "B"]', "x.toml", games)
    assert config.of(DominoesSettings).players == ("A", "B")
    assert "[dominoes]" in files.config_text(config, games=games)
    assert files.parse_config(files.config_text(config, games=games), "printed", games) == config


def test_one_temper_is_for_both() -> None:
    assert parse_config('[simulation]\ntemper = "hasty"', "t").simulation.temper == ("hasty", "hasty")


def test_the_home_folder_is_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/anna")
    assert parse_config('[data]\nfolder = "~/games"', "t").data.folder == Path("/home/anna/games")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[patchwrok]", "x.toml: patchwrok: is not a section; did you mean patchwork?"),
        (
            "[game]",
            "x.toml: game: is not a section; "
            "known: patchwork, kvilt, camera, controls, strip, reading, data, simulation, page, table, terminal, "
            "voice, partner, mqtt, hall",
        ),
        ("[patchwork]\nplayrs = 1", "x.toml: [patchwork] playrs: is not a key; did you mean players?"),
        ("[data]\nzzz = 1", "x.toml: [data] zzz: is not a key; known: folder, looks"),
        ('kvilt = "on"', "x.toml: kvilt: is a section; write [kvilt] on its own line, with its keys below"),
        ("[strip]\npixels = 7", "x.toml: [strip] pixels: 7 is not valid; allowed: a whole number from 8 to 1000"),
        ("[strip]\npixels = true", "x.toml: [strip] pixels: True is not valid; allowed: a whole number from 8 to 1000"),
        (
            "[patchwork]\nfirst_seat = true",
            "x.toml: [patchwork] first_seat: True is not valid; allowed: a whole number from 1 to 2",
        ),
        ("[strip]\npixels = 60.0", "x.toml: [strip] pixels: 60.0 is not valid; allowed: a whole number from 8 to 1000"),
        ("[strip]\nbrightness = nan", "x.toml: [strip] brightness: nan is not valid; allowed: a number from 0 to 1"),
        ("[strip]\nbrightness = true", "x.toml: [strip] brightness: True is not valid; allowed: a number from 0 to 1"),
        ("[strip]\nreversed = 1", "x.toml: [strip] reversed: 1 is not valid; allowed: true or false"),
        (
            "[strip]\nfirst_pixel = 53",
            "x.toml: [strip] first_pixel: leaves fewer than 8 pixels; allowed: at most pixels - 8",
        ),
        (
            '[page]\nhost = "192.168.1.20"',
            "x.toml: [page] host: 192.168.1.20 is reachable from other machines; allowed: with lan = true",
        ),
        (
            '[page]\nhost = "my-pi"',
            "x.toml: [page] host: 'my-pi' is not valid; allowed: an IP address, such as \"192.168.1.20\"",
        ),
        (
            '[camera]\ndriver = "periscope"',
            "x.toml: [camera] driver: 'periscope' is not valid; "
            'allowed: "folder", "network", "phone", "pi", "simulated" or "webcam"',
        ),
        (
            '[patchwork]\nrules = "house"',
            'x.toml: [patchwork] rules: \'house\' is not valid; allowed: "official" or "marker-on-top"',
        ),
        (
            '[patchwork]\nplayers = ["Anna", ""]',
            "x.toml: [patchwork] players: ['Anna', ''] is not valid; allowed: two names of 1 to 40 characters, "
            'such as ["Anna", "Boris"]',
        ),
        (
            '[patchwork]\ncolours = ["blue", "blue"]',
            "x.toml: [patchwork] colours: ['blue', 'blue'] is not valid; allowed: a list of two different ones of "
            '"yellow", "green", "blue", "orange", "violet", "rose", "teal", "slate", "black" or "white"',
        ),
        ("[patchwork]\nmarket = [1]", "x.toml: [patchwork] market: [1] is not valid; allowed: a list of texts"),
        ('[data]\nfolder = ""', "x.toml: [data] folder: '' is not valid; allowed: the path of a folder"),
        (
            '[simulation]\ntemper = ["tidy"]',
            'x.toml: [simulation] temper: [\'tidy\'] is not valid; allowed: "tidy", "hasty" or "forgetful", '
            "or a list of two of them",
        ),
    ],
)
def test_a_mistake_is_one_line_that_says_where_and_what_is_allowed(text: str, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(text, "x.toml")
    assert str(caught.value) == says


@pytest.mark.parametrize(
    ("market", "names"), [(["bar3"], "domino"), ([*CIRCLE, "bar3"], "bar3"), (["sun", *CIRCLE[1:]], "sun")]
)
def test_a_circle_that_cannot_be_is_told_by_the_rules(market: list[str], names: str) -> None:
    says = rf"^x.toml: \[patchwork\] market must list the 33 patches once each: [^\n]*{names}"
    with pytest.raises(ConfigError, match=says):
        parse_config(f"[patchwork]\nmarket = {market}", "x.toml")


@pytest.mark.parametrize("text", ["[game", "= 1", "[patchwork]\nrules = 'a\nb'", "[data]\n[data]", "a = " + "[" * 5000])
def test_a_file_that_is_not_toml_is_one_line(text: str) -> None:
    with pytest.raises(ConfigError, match=r"^x.toml: is not TOML: [^\n]+$"):
        parse_config(text, "x.toml")


@pytest.mark.parametrize("name", ["a\nb", "x" * 300, "\x1b[31m"])
def test_an_odd_key_stays_one_short_line(name: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(f"[patchwork]\n{_quoted(name)} = 1", "x.toml")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 150


def _quoted(text: str) -> str:
    return '"' + "".join(character if character.isalnum() else f"\\u{ord(character):04x}" for character in text) + '"'


def test_a_long_value_is_shortened() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(f'[camera]\ndriver = "{"x" * 500}"', "x.toml")
    assert len(str(caught.value)) < 150


def test_a_file_is_read_with_or_without_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    for mark in (b"", b"\xef\xbb\xbf"):
        path.write_bytes(mark + b"[strip]\npixels = 20\n")
        assert load_config(path).strip.pixels == 20


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    with pytest.raises(ConfigError, match=r"config.toml: cannot be read: No such file"):
        load_config(path)
    path.write_bytes(b"[voice]\n# \xff\n")
    with pytest.raises(ConfigError, match=r"config.toml: is not UTF-8 text \(byte 10\)"):
        load_config(path)
    with pytest.raises(ConfigError, match=r"cannot be read: Is a directory"):
        load_config(tmp_path)


def test_every_key_of_the_printed_text_has_its_comment_above_it() -> None:
    lines = config_text(Config()).splitlines()
    keys = [index for index, line in enumerate(lines) if " = " in line]
    assert len(keys) == len(re.findall(r"^(?:# )?[a-z_]+ = ", config_text(Config()), re.MULTILINE)) > 80
    assert all(lines[index - 1].startswith("# ") and " = " not in lines[index - 1] for index in keys)


def test_absent_keys_are_printed_commented_out() -> None:
    assert "market" not in tomllib.loads(config_text(Config()))["patchwork"]
    assert "# market = [" in config_text(Config())


def _with_game(game: PatchworkSettings, **sections: Any) -> Config:
    return Config(**sections).with_game(game)


_names = st.text(st.characters(exclude_categories=["C", "Zl", "Zp", "Zs"]), min_size=1, max_size=40)
_sides = st.integers(320, 8192)
_configs = st.builds(
    _with_game,
    game=st.builds(
        PatchworkSettings,
        players=st.tuples(_names, _names),
        rules=st.sampled_from(RuleProfile),
        edition=st.sampled_from(Edition),
        first_seat=st.integers(1, 2),
        colours=st.sampled_from([None, ("teal", "slate"), ("yellow", "rose")]),
        market=st.none() | st.permutations(CIRCLE[:-1]).map(lambda circle: (*circle, "domino")),
    ),
    camera=st.builds(WebcamDriver, fps=st.floats(0.5, 60), size=st.tuples(_sides, _sides)),
    strip=st.builds(
        WledDriver,
        wled_host=st.sampled_from(["wled.local", "[fd00::20]:80"]),
        pixels=st.integers(8, 1000),
        brightness=st.floats(0, 1),
        gamma=st.floats(1, 4),
        max_ma=st.integers(50, 60000),
        reversed=st.booleans(),
    ),
    reading=st.builds(ReadingConfig, pause_s=st.floats(0.5, 30), hands_free=st.booleans()),
    data=st.builds(DataConfig, folder=st.none() | _names.map(lambda name: Path("/") / name)),
    page=st.builds(
        PageConfig,
        port=st.integers(0, 65535),
        lan=st.just(value=True),
        host=st.sampled_from([None, "192.168.1.20", "fd00::20"]),
    ),
    simulation=st.builds(SimulationConfig, seed=st.integers(0, 2**63 - 1), temper=st.just(("hasty", "tidy"))),
)


@settings(max_examples=50)
@given(_configs)
def test_reading_what_was_printed_gives_the_same(config: Config) -> None:
    assert parse_config(config_text(config), "printed") == config


def test_a_printed_text_keeps_what_toml_would_stumble_over() -> None:
    config = Config(data=DataConfig(Path('/a "b" \\c\x7f\t')))
    assert parse_config(config_text(config), "printed") == config


def test_the_circle_may_be_given_by_the_table() -> None:
    assert PatchworkSettings().setup().market is None
    assert PatchworkSettings().setup(CIRCLE).market == tuple(CIRCLE)
    known = PatchworkSettings(market=tuple(CIRCLE))
    assert known.setup(CIRCLE[::-1]).market == tuple(CIRCLE)
    with pytest.raises(SetupError):
        PatchworkSettings().setup(CIRCLE[::-1])
