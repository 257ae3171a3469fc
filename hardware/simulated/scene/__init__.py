"""The places of everything on the simulated table."""
