"""Loose pieces on a table: their places, shapes and prints."""
