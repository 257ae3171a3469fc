"""Loose pieces on a table: where they lie, which shapes they have, and what is printed on them."""
