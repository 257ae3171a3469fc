"""One quilt from straight above: what lies on it, its expected look, and how far it looks different."""
