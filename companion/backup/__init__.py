"""Backups of games, calibrations and the configuration in one file, and restoring them."""

from companion.backup.contents import Places
from companion.backup.manifest import BackupError, Manifest
from companion.backup.reading import checked
from companion.backup.restoring import Restored, restore
from companion.backup.writing import back_up, usual_name

__all__ = ["BackupError", "Manifest", "Places", "Restored", "back_up", "checked", "restore", "usual_name"]
