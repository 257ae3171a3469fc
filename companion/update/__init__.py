"""Installs another version of this program, and goes back to the one before if that does not start."""

from companion.update.program import Program
from companion.update.source import Source, UpdateError, source_of
from companion.update.updating import Outcome, Update

__all__ = ["Outcome", "Program", "Source", "Update", "UpdateError", "source_of"]
