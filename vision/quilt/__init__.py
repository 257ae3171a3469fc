"""One quilt, from straight above: how it is expected to look, and how far it looks otherwise."""
