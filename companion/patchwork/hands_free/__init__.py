"""Hands-free play: decisions foreseen, taken and undone, and doubts announced, without presses."""
