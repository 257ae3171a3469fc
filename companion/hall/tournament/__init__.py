"""A tournament's rules: who plays whom, how everybody stands, and ratings. Pure values and functions."""
