"""Patchwork on the light strip."""
