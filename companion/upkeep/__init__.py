"""A machine that plays: its doctor, hardware test, installation, service, backups, updates and stored data."""
