"""The hall's tables from version to version."""
