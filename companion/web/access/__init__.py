"""Who may reach the page, and who may touch the table."""
