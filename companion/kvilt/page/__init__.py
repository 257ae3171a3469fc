"""Kvilt on the page: its part of the snapshot, its routes, its part of the archive."""
