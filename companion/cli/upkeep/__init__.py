"""The commands that maintain an installed companion and its data."""
