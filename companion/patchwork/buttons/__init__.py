"""The buttons in hand, counted where they lie."""
