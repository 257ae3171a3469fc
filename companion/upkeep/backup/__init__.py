"""Backups of games, calibrations and the configuration in one file, and restoring them."""
