"""The configuration: one commented TOML file."""

from __future__ import annotations

from companion.config.checks import ConfigError
from companion.config.devices import CameraConfig, ControlsConfig, StripConfig, VoiceConfig
from companion.config.kvilt import BAGS, KviltConfig
from companion.config.mqtt import Broker, MqttConfig
from companion.config.places import data_folder, find_config, user_config
from companion.config.settings import (
    SIMULATED_TABLES,
    Config,
    DataConfig,
    GameConfig,
    HallConfig,
    PageConfig,
    ReadingConfig,
    SimulationConfig,
    TableConfig,
    TerminalConfig,
)
from companion.config.text import config_text, load_config, parse_config

__all__ = [
    "BAGS",
    "SIMULATED_TABLES",
    "Broker",
    "CameraConfig",
    "Config",
    "ConfigError",
    "ControlsConfig",
    "DataConfig",
    "GameConfig",
    "HallConfig",
    "KviltConfig",
    "MqttConfig",
    "PageConfig",
    "ReadingConfig",
    "SimulationConfig",
    "StripConfig",
    "TableConfig",
    "TerminalConfig",
    "VoiceConfig",
    "config_text",
    "data_folder",
    "find_config",
    "load_config",
    "parse_config",
    "user_config",
]
