"""What the network of `vision/quilt` is fitted on, and how it is fitted."""
