"""Simulated players of Patchwork: what they decide, how their hands move, what goes wrong."""
