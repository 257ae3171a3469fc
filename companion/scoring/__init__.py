"""Reads both quilts from one photograph and counts the score; nothing is known of the game that led there."""
