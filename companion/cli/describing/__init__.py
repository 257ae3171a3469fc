"""Commands with which owners describe their own material, each on a page."""
