"""The two quilt boards at the table: where they lie, how they look empty, what prevents a game from beginning."""
