"""The configuration: one commented TOML file."""

from __future__ import annotations

from companion.config.mqtt import Broker, MqttConfig
from companion.config.places import data_folder, find_config, user_config
from companion.config.settings import (
    SIMULATED_TABLES,
    Config,
    DataConfig,
    HallConfig,
    PageConfig,
    ReadingConfig,
    SimulationConfig,
    TableConfig,
    TerminalConfig,
    address,
)
from companion.config.text import ConfigError, GameSections, config_text, load_config, parse_config

__all__ = [
    "SIMULATED_TABLES",
    "Broker",
    "Config",
    "ConfigError",
    "DataConfig",
    "GameSections",
    "HallConfig",
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
