"""Reads one quilt from one straight-on view, whatever the printing."""
