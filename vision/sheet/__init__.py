"""Printed sheets: detection, rectification, and measurement of the pencil on them."""
