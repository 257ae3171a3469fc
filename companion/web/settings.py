"""The family's settings on the page: keys of the configuration's file, which keeps its comments."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.config import Config
from companion.config.palette import USUAL
from companion.configuration import SECTIONS, write_network_camera, write_setting, written_config
from companion.languages import LANGUAGES, Sentence, said
from companion.settings import Section, as_toml
from hardware.driver import CameraDriver, Driver, VoiceDriver, drivers

Option = tuple[str | None, Sentence | str]
"""A value that may be chosen (None removes the key), and what it means."""


@dataclass(frozen=True, slots=True)
class PageSetting:
    """A key of the configuration that is set on the page.

    Attributes:
        section: its section.
        key: the key.
        title: what it is about.
        kind: "texts" (one for each seat), "text", "switch", "choice", or "colours" (one of the options for each seat).
        options: the values to choose from; of a switch whose values are names, those for off and on.
        usual: the value of an absent key.
    """

    section: str
    key: str
    title: Sentence
    kind: str
    options: tuple[Option, ...] = ()
    usual: object = None


def _drivers(kind: type[Driver]) -> tuple[Option, ...]:
    return tuple((name, each.summary) for name, each in drivers(kind).items())


_COLOURS: Final = (
    ("yellow", said("Yellow")),
    ("green", said("Green")),
    ("blue", said("Blue")),
    ("orange", said("Orange")),
    ("violet", said("Violet")),
    ("rose", said("Rose")),
    ("teal", said("Teal")),
    ("slate", said("Slate")),
    ("black", said("Black")),
    ("white", said("White")),
)
SETTINGS: Final = (
    PageSetting("patchwork", "players", said("The players"), "texts"),
    PageSetting("patchwork", "colours", said("Their colours"), "colours", _COLOURS, USUAL),
    PageSetting("camera", "driver", said("The camera"), "choice", _drivers(CameraDriver)),
    PageSetting("camera", "device", said("Which one: its number or its address"), "text"),
    PageSetting(
        "table",
        "boards",
        said("The boards"),
        "choice",
        (("mats", said("lie on the printed mats")), ("found", said("are found without mats"))),
    ),
    PageSetting(
        "reading", "hands_free", said("Hands-free: a patch that lies still is taken, without a press"), "switch"
    ),
    PageSetting(
        "table",
        "time_board",
        said("The camera follows the markers on the time board"),
        "switch",
        (("ignored", ""), ("followed", "")),
    ),
    PageSetting("voice", "driver", said("The voice at the table"), "choice", _drivers(VoiceDriver)),
    PageSetting(
        "terminal",
        "language",
        said("The language of terminal and voice"),
        "choice",
        ((None, said("this machine’s own")), *((code, language.name) for code, language in LANGUAGES.items())),
    ),
    PageSetting("mqtt", "broker", said("The MQTT broker, for a friend at another table"), "text"),
    PageSetting("page", "lan", said("Phones in this home may open the page"), "switch"),
    PageSetting("page", "https", said("Encrypted, so that phones lend their camera and install the page"), "switch"),
)
"""The keys that a family sets on the page, in this order. A key that the configuration does not know is left out."""


class SettingsFile:
    """The configuration's file.

    Args:
        path: its path; it need not exist.
        changed: called with the key's section and name and its new value once it is written.
    """

    def __init__(self, path: Path, changed: Callable[[str, str, object], None] = lambda *_: None) -> None:
        self.path, self._changed = path, changed

    def shown(self) -> Sequence[tuple[PageSetting, object]]:
        """Return the settings that this program knows, each with its value.

        Raises:
            ConfigError: the file cannot be read.
        """
        config = written_config(self.path)
        known = [each for each in SETTINGS if each.key in _section(config, each.section).known_keys()]
        return [(each, _value(config, each)) for each in known]

    def change(self, section: str, key: str, value: object) -> None:
        """Write a value.

        Raises:
            ConfigError: it is not allowed, or the file cannot be read.
            OSError: the file cannot be written.
        """
        write_setting(self.path, section, key, value)
        self._changed(section, key, value)

    def use_network_camera(self, url: str) -> None:
        """Choose the camera whose stream is at an address.

        Raises:
            ConfigError: it is no address of a stream, or the file cannot be read.
            OSError: the file cannot be written.
        """
        write_network_camera(self.path, url)
        self._changed("camera", "driver", "network")


def _section(config: Config, name: str) -> Section:
    found = config.section(name)
    return found if found is not None else next(kind for kind in SECTIONS.own if kind.section == name)()


def _value(config: Config, setting: PageSetting) -> object:
    values = {entry.key: entry.value for entry in _section(config, setting.section).entries()}
    value = values.get(setting.key)
    return as_toml(setting.usual if value is None else value) if (value, setting.usual) != (None, None) else None
