"""The games that the companion knows; the rules of each are a pure core, independent of the others."""
