"""Backups of games, calibrations and the configuration in one file, and restoring them."""

from companion.upkeep.backup.manifest import BackupError, Manifest, Places
from companion.upkeep.backup.restoring import Restored, checked, restore
from companion.upkeep.backup.writing import back_up, usual_name

__all__ = ["BackupError", "Manifest", "Places", "Restored", "back_up", "checked", "restore", "usual_name"]
