"""The two quilt boards at the table: their places, their empty looks, and obstacles to starting a game."""
