"""The circle of patches during play: its pieces' places, missing pieces, and announcements."""
