"""The service that nobody looks after: its watchdog, and what it does while no game is on the table."""
