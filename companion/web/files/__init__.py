"""The page's static files: bundled into few files, compressed, and cached by browsers until they change."""
