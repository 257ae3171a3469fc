"""One quilt from straight above: its content, its expected appearance, and differences from it."""
