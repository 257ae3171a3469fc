"""The guided test of a table's devices, independent of terminal, page and drivers."""
