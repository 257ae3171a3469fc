"""The time board: where it lies, how its spaces lie on it, and which space each marker stands on."""
