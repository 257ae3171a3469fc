"""Loose pieces on a table: their places, their shapes, and what is printed on them."""
