"""The reader of Patchwork: vision and rules together find the legal placement that explains the picture."""
