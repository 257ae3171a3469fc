"""The statistics that all games share: the records of a table and runs of victories."""

from companion.statistics.records import BestResult
from companion.statistics.runs import longest_run

__all__ = ["BestResult", "longest_run"]
