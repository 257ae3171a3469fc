from __future__ import annotations

from tests.companion.patchwork.reading.conftest import scene

__all__ = ["scene"]
