"""Patchwork on a terminal."""
