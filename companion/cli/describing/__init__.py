"""Commands with which owners describe what they have, on pages of their own."""
