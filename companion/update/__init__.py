"""Updates of this program, with a rollback if the new version does not start."""

from companion.update.program import Program
from companion.update.source import UpdateError, UpdateSource, source_of
from companion.update.updating import CommandResult, Update

__all__ = ["CommandResult", "Program", "Update", "UpdateError", "UpdateSource", "source_of"]
