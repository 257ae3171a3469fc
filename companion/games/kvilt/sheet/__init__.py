"""Playing sheets: what their cells are worth, and where everything is printed."""
