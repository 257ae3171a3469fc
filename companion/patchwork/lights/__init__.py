"""Patchwork on the strip of lights."""
