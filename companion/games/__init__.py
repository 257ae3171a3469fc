"""The games that the companion knows, each a pure core of its own."""
