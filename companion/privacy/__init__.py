"""What a companion keeps of its players, and how they delete it."""
