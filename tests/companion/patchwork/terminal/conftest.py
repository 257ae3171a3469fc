"""The command line, run as the tests of the commands run it."""

from __future__ import annotations

from tests.companion.cli.conftest import run

__all__ = ["run"]
