"""Limits that a picture must meet for a table to be calibrated by it.

The figures are of the simulated table, where the truth is known: 33 pixels a cell is its ordinary picture, with a blur
of 0.9 px, and lines that lie within 0.1 px of the fit.
"""

from __future__ import annotations

from typing import Final

LEAST_CELL_PX: Final = 18.0
"""Printed lines are half a millimetre wide: with fewer pixels they are lost between them."""
SMALL_CELL_PX: Final = 24.0
"""What a camera a metre above the table gives; it reads well, and has nothing to spare."""
MOST_BLUR_CELLS: Final = 0.060
"""Sigma over a cell's width: at twice the ordinary blur grids were fitted well, at three times up to 4 px off."""
SOFT_BLUR_CELLS: Final = 0.046
LEAST_PAPER: Final = 60.0
"""Grey level of white paper, 0..255; an ordinary evening has above 200. Below, noise hides markers."""
DIM_PAPER: Final = 125.0
MOST_SATURATED: Final = 0.25
"""Share of a board's pixels without any drawing left in them."""
SOME_SATURATED: Final = 0.03
UNEVEN: Final = 1.6
"""Brightest over darkest paper of one mat; a shadow's edge across a board makes as much."""
MOST_RESIDUAL_CELLS: Final = 0.018
"""The largest residual of the printed lines, in cells: 0.36 mm. The worst blur that is allowed gives 0.008."""
LEAST_SUPPORT: Final = 0.55
"""Share of the grid's segments that are seen in line; an empty board has about 0.8."""
PRINT_SCALE: Final = (0.975, 1.025)
"""A board's grid, as measured on its mat, over what it should be; "fit to page" prints at 0.93 to 0.97; editions
differ by less."""
