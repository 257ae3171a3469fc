"""Access to the page, and to the table's commands."""
