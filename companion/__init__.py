"""Keeps the books while two people play the physical game Patchwork under a camera."""

from __future__ import annotations

__version__ = "0.1.0"
