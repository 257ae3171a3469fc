"""The time board at the table: where both markers stand, what is said of it, and the advance that one of them tells."""
