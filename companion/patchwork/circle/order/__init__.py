"""The order of the pieces in the circle, and where it is unclear."""
