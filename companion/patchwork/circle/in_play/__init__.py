"""The circle of patches during play: what lies where it lay, what has gone, and what is told of it."""
