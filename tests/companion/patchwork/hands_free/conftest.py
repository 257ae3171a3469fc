from __future__ import annotations

from tests.companion.patchwork.reading.conftest import opening, scene

__all__ = ["opening", "scene"]
