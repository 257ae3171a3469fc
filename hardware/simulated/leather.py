"""The name of a leather patch, in the place of a patch's id."""

from __future__ import annotations

from typing import Final

LEATHER: Final = "leather"
"""Stands for a leather patch where a patch's id stands for a patch."""
