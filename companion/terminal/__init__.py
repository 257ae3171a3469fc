"""Text and pictures of commands at a terminal."""
