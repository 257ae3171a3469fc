"""The table as a whole: its light, its plane, and spots on it."""
