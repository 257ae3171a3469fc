"""Naming of the pieces of the circle: the patch that each of them is."""
