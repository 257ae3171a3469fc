"""Ports to the world, and their drivers and twins."""
