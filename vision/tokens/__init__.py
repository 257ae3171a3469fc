"""Button tokens on the table: detection of discs, their kinds, and the heaps that they form."""
