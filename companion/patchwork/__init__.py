"""Patchwork at the table: from the camera's pictures to decisions, and from decisions to words and lights."""
