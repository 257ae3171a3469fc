"""The games in the journal: listed, replayed, exported, counted."""
