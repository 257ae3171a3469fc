"""The unattended service: its watchdog, and its work while no game is on the table."""
