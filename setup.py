"""The build step that pyproject.toml cannot express: compiling the translation catalogues."""

from __future__ import annotations

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
# Only this folder, because a build has Babel and none of the program's other dependencies.
sys.path.insert(0, str(ROOT / "companion" / "languages"))
from compiling import compile_catalogue  # noqa: E402


class BuildWithCatalogues(build_py):
    """The build command that also compiles each catalogue beside its `.po`, for wheels and editable installs."""

    def run(self) -> None:
        """Compile the catalogues, then build."""
        for path in ROOT.glob("companion/languages/*/LC_MESSAGES/*.po"):
            compile_catalogue(path)
        super().run()


setup(cmdclass={"build_py": BuildWithCatalogues})
