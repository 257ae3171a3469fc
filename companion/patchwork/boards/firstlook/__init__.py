"""Findings of the first picture of a table, as sentences that say what to improve before the game begins."""

from companion.patchwork.boards.firstlook.findings import Finding, Kind, Severity
from companion.patchwork.boards.firstlook.look import first_look

__all__ = ["Finding", "Kind", "Severity", "first_look"]
