"""Matches of the robot against references, and the ratings of its levels."""
