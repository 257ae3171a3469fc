"""Naming of the pieces of the circle: which patch each of them is."""
