"""The time board at the table: the spaces of both markers, notices about them, and advances read from them."""
