"""A club's hall: collects the events of all tables from a broker into a database, and serves a page with tournaments.

See docs/club.md.
"""
