"""The rules of Patchwork: pure values and functions that use only the standard library."""
