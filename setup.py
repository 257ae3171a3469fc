"""What setuptools does beside what pyproject.toml says: it compiles the catalogues of translations."""

from __future__ import annotations

from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithCatalogues(build_py):
    """Compiles each `.po` into the `.mo` beside it, where a wheel takes it from and an editable install finds it."""

    def run(self) -> None:
        """See setuptools."""
        for path in Path(__file__).parent.glob("companion/languages/*/LC_MESSAGES/*.po"):
            with path.open("rb") as stream, path.with_suffix(".mo").open("wb") as compiled:
                write_mo(compiled, read_po(stream))
        super().run()


setup(cmdclass={"build_py": BuildWithCatalogues})
