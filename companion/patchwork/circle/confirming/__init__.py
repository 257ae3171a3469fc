"""Confirmation of the seen circle, and its storage until the answers are complete."""
