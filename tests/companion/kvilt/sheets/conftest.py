"""The printer without paper of the tests of printing."""

from __future__ import annotations

from tests.calibration.printing.conftest import printed

__all__ = ["printed"]
