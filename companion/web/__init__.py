"""The page: the table on every screen in the room. Snapshots go out, commands come in."""
