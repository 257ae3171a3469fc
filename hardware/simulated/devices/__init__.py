"""Twins of the camera, the push-buttons, the strip, the voice and the clock."""
