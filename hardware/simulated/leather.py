"""The ID of a leather patch."""

from typing import Final

LEATHER: Final = "leather"
"""Used for a leather patch in place of a patch's ID."""
