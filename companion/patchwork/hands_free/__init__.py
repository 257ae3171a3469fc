"""Hands-free play: decisions foreseen, taken and taken back, and doubts that are announced unasked."""
