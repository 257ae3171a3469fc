"""The page's own files as they are sent: few, compressed, and kept by browsers for as long as they stay the same."""
