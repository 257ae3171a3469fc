"""Kvilt on a terminal."""
