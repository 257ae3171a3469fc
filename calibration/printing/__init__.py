"""Sheets for the printer, as vector PDFs true to scale: the mats, the lens chart, the labels, the sheets of Kvilt."""

from calibration.printing.chartsheet import chart_pdf
from calibration.printing.kviltsheet import LANDSCAPES, LANGUAGES, kvilt_sheet_pdf
from calibration.printing.kviltswatches import kvilt_swatches_pdf
from calibration.printing.labels import labels_pdf
from calibration.printing.mats import mats_pdf
from calibration.printing.page import PAPERS

__all__ = [
    "LANDSCAPES",
    "LANGUAGES",
    "PAPERS",
    "chart_pdf",
    "kvilt_sheet_pdf",
    "kvilt_swatches_pdf",
    "labels_pdf",
    "mats_pdf",
]
