"""One quilt, from straight above: what lies on it, how it is expected to look, and how far it looks otherwise."""
