"""The watch over both quilts: where their boards lie, whether they rest, and how they are expected to look."""
