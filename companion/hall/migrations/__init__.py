"""The Alembic migrations of the hall's database."""
