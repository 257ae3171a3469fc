"""The rules of Kvilt: pure values and functions that use only the standard library."""
