"""Sheets for the printer, as vector PDFs true to scale: the mats, the lens chart, the labels."""

from calibration.printing.chartsheet import chart_pdf
from calibration.printing.labels import labels_pdf
from calibration.printing.mats import mats_pdf
from calibration.printing.page import PAPERS

__all__ = ["PAPERS", "chart_pdf", "labels_pdf", "mats_pdf"]
