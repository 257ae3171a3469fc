"""Printable sheets, as vector PDFs true to scale: mats, lens chart, labels, a set to play."""

from calibration.printing.game import CELL_MM, game_pdf
from calibration.printing.holder import holder_pdf
from calibration.printing.labels import labels_pdf
from calibration.printing.mats import chart_pdf, mats_fit, mats_pdf
from calibration.printing.page import LARGE_PAPERS, PAPERS

__all__ = [
    "CELL_MM",
    "LARGE_PAPERS",
    "PAPERS",
    "chart_pdf",
    "game_pdf",
    "holder_pdf",
    "labels_pdf",
    "mats_fit",
    "mats_pdf",
]
