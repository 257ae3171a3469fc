"""Light on the table by its causes: lamps and windows, what stands in their way, and what surfaces throw back."""
