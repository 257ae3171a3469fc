"""Quilt boards: finding them in a picture, and fitting their printed grid."""
