"""A club's hall: all tables from a broker into a database, their page, and a tournament. See docs/club.md."""
