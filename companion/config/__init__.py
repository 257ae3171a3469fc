"""The configuration: one commented TOML file."""

from __future__ import annotations

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
    address,
)
from companion.config.text import ConfigError, config_text, load_config, parse_config

__all__ = [
    "BAGS",
    "SIMULATED_TABLES",
    "Broker",
    "Config",
    "ConfigError",
    "DataConfig",
    "GameConfig",
    "HallConfig",
    "KviltConfig",
    "MqttConfig",
    "PageConfig",
    "ReadingConfig",
    "SimulationConfig",
    "TableConfig",
    "TerminalConfig",
    "address",
    "config_text",
    "data_folder",
    "find_config",
    "load_config",
    "parse_config",
    "user_config",
]
