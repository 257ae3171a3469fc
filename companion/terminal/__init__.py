"""Rich text, live screens and plain lines for a terminal."""
