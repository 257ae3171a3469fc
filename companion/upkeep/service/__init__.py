"""The unattended service: watchdog, logging, and waiting between games."""
