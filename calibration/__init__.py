"""Where each quilt is in the picture, its empty look, and the printed mats that help to find it."""
