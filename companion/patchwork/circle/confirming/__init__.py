"""Confirmation of a circle that was seen, and its storage while it waits for answers."""
