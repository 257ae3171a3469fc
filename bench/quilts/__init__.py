"""The fit of the network of `vision/quilt`, and the examples that it learns from."""
