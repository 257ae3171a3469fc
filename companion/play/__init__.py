"""The parts that all games at a table share: the turn loop, its events, and remote commands."""
