"""The rules of tournaments: pairings, standings and ratings, as pure values and functions."""
