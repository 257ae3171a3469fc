"""Arrays in, values out: fiducials, rectification, stability, evidence per cell. Knows no rules."""
