"""A table without players: people move by hand what lies on it, from wherever they are, and the camera sees it."""
