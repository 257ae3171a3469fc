"""The ways to good decisions: `choice` by rules of thumb; `search` over a whole colouring; and the `levels`."""
