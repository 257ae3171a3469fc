"""The page's application, as tests of the whole page have it."""

from tests.companion.web.conftest import desk

__all__ = ["desk"]
