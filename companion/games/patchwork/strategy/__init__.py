"""The ways to good decisions: `choice` without looking ahead, for the simulated players; `search`; and its `levels`."""
