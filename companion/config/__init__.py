"""The configuration: one commented TOML file."""

from __future__ import annotations

from companion.config.sections import (
    SIMULATED_TABLES,
    Broker,
    Config,
    DataConfig,
    HallConfig,
    MqttConfig,
    PageConfig,
    ReadingConfig,
    SimulationConfig,
    TableConfig,
    TerminalConfig,
    address,
)
from companion.config.text import (
    ConfigError,
    GameSections,
    config_text,
    data_folder,
    find_config,
    load_config,
    parse_config,
    user_config,
)

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
