"""A machine as `companion doctor` examines it: with the games, keys and voices that this program has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.compose.devices import bindings_of, voice_language
from companion.doctor.diagnosing import Patient
from companion.registry import codecs

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from companion.doctor import Machine


def patient_of(
    machine: Machine, environ: Mapping[str, str], config: Path | None = None, data: Path | None = None
) -> Patient:
    """Return a machine to examine.

    Args:
        machine: the machine.
        environ: its environment variables.
        config: the configuration's file; None for the one in its usual place.
        data: the data folder; None for the one of the configuration.
    """
    return Patient(
        machine,
        environ,
        codecs(),
        bindings_of,
        lambda config, environ: voice_language(config, environ).code,
        config,
        data,
    )
