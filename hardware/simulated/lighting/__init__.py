"""Light on the table by its causes: lamps and windows, obstacles, and reflections."""
