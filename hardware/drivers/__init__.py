"""The drivers, each with its device's settings and checks; `hardware.driver` finds them here by name."""
