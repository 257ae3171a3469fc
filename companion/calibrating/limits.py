"""Limits that a picture must meet for calibrating a table.

The figures are from the simulated table, where the truth is known: its ordinary picture has 33 pixels per cell, a blur
of 0.9 px, and lines within 0.1 px of the fit.
"""

from typing import Final

LEAST_CELL_PX: Final = 18.0
"""Printed lines are half a millimetre wide: with fewer pixels per cell they are no longer resolved."""
SMALL_CELL_PX: Final = 24.0
"""The result of a camera one metre above the table, which reads well but without a margin."""
MOST_BLUR_CELLS: Final = 0.060
"""The blur's sigma over a cell's width: at twice the ordinary blur grids fitted well, at three times up to 4 px off."""
SOFT_BLUR_CELLS: Final = 0.046
"""The blur from which the user is advised to focus better; it does not prevent the calibration."""
LEAST_PAPER: Final = 60.0
"""The grey level of white paper, 0..255; an ordinary evening has above 200. Below the limit, noise hides markers."""
DIM_PAPER: Final = 125.0
"""The level below which more light is advised; it does not prevent the calibration."""
MOST_SATURATED: Final = 0.25
"""The share of a board's pixels that are saturated."""
SOME_SATURATED: Final = 0.03
"""The share from which a bright spot is reported: about two of the 81 cells."""
UNEVEN: Final = 1.6
"""The brightest over the darkest paper of one mat; the edge of a shadow across a board causes this much."""
MOST_RESIDUAL_CELLS: Final = 0.018
"""The largest residual of the printed lines, in cells: 0.36 mm. The worst permitted blur causes 0.008."""
LEAST_SUPPORT: Final = 0.55
"""The share of the grid's segments that are seen in line; an empty board has about 0.8."""
PRINT_SCALE: Final = (0.975, 1.025)
"""The measured size of a board's grid on its mat over the nominal size; "fit to page" prints at 0.93 to 0.97; editions
differ by less."""
