"""Hardware ports, with their drivers and simulated twins."""
