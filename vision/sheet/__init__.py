"""Printed sheets: finding them, laying them flat, and measuring the pencil on them."""
