"""What the first picture of a table leaves to be desired, as sentences that say what to do before the game begins."""

from companion.firstlook.findings import Finding, Kind, Severity
from companion.firstlook.look import first_look

__all__ = ["Finding", "Kind", "Severity", "first_look"]
