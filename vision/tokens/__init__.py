"""Button tokens on the table: round pieces of a few colours, their kinds, and the heaps in which they lie."""
