"""Fitting of the network of `vision/quilt`, and its training data."""
