"""The circle of patches around the time board: its patches and their order, seen once and followed in play."""
