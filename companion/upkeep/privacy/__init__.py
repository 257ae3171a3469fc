"""The data that a companion stores about its players, and the ways to delete it."""
