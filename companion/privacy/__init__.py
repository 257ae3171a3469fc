"""The data that a companion keeps of its players, and the ways to delete it."""
