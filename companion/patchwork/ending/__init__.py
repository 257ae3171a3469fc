"""Checks of the table against the recorded state at the end of a game: buttons in hand and the 7x7 tile."""
