"""Simulated players of Patchwork: decisions, hand movements, mishaps."""
