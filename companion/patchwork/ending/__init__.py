"""Checks of what lies before the players when a game has ended against the books: buttons in hand, the 7x7 tile."""
