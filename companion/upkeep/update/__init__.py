"""Updates of this program, with a rollback if the new version does not start."""

from companion.upkeep.update.program import Program
from companion.upkeep.update.source import UpdateError, UpdateSource, source_of
from companion.upkeep.update.updating import CommandResult, Update

__all__ = ["CommandResult", "Program", "Update", "UpdateError", "UpdateSource", "source_of"]
