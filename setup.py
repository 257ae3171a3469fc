"""What setuptools does beside what pyproject.toml says: it compiles the catalogues of translations."""

from __future__ import annotations

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
# A build does not look for modules in the folder that is built.
sys.path.insert(0, str(ROOT))
from catalogues import compile_catalogue  # noqa: E402


class BuildWithCatalogues(build_py):
    """Compiles each catalogue beside its `.po`, where a wheel takes it from and an editable install finds it."""

    def run(self) -> None:
        """See setuptools."""
        for path in ROOT.glob("companion/languages/*/LC_MESSAGES/*.po"):
            compile_catalogue(path)
        super().run()


setup(cmdclass={"build_py": BuildWithCatalogues})
