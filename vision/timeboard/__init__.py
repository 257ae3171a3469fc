"""The time board: its place, the layout of its spaces, and the markers' spaces."""
