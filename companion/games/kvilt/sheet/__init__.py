"""Playing sheets: the values of their cells, and the layout of the printed page."""
