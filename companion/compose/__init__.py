"""Composition: devices by name, and tables made of a game and its devices; wiring without behaviour."""
