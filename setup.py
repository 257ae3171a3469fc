"""The build steps that pyproject.toml cannot express: compiling the translations, and bundling the page's scripts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
# Changes nothing where there is no npm.
BUNDLE = ROOT / "packaging" / "page" / "bundle.sh"
# Only this folder, because a build has Babel and none of the program's other dependencies.
sys.path.insert(0, str(ROOT / "companion" / "languages"))
from compiling import compile_catalogue  # noqa: E402


class Build(build_py):
    """The build command that also compiles each catalogue, and bundles the page's scripts in a wheel."""

    def run(self) -> None:
        """Compile the catalogues, build, and bundle."""
        for path in ROOT.glob("companion/languages/*/LC_MESSAGES/*.po"):
            compile_catalogue(path)
        super().run()
        # An editable installation serves the scripts as they are written.
        if not self.editable_mode and BUNDLE.exists():
            subprocess.run([BUNDLE, Path(self.build_lib).absolute() / "companion/web/static"], check=True)  # noqa: S603


setup(cmdclass={"build_py": Build})
