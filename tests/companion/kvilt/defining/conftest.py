"""Fixtures of a photograph of a blank boxed sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.companion.boxedsheet import photograph_blank

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A photograph of the blank sheet."""
    return photograph_blank(tmp_path_factory.mktemp("boxed"))
