"""Findings of the first picture of a table, as sentences that say what to improve before the game begins."""

from companion.patchwork.boards.firstlook.look import BoardFinding, BoardFindingKind, Severity, first_look

__all__ = ["BoardFinding", "BoardFindingKind", "Severity", "first_look"]
