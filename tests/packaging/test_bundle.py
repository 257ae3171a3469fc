"""Test bundling the page's scripts on a machine without npm; with it, tests/companion/web/page/test_weight.py does."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

BUNDLE = Path(__file__).parents[2] / "packaging" / "page" / "bundle.sh"


def test_without_npm_the_scripts_stay_as_they_are_written(tmp_path: Path) -> None:
    static, tools, own = (tmp_path / name for name in ("static", "tools", "page"))
    for folder in (static, tools, own):
        folder.mkdir()
    (static / "main.js").write_text("export {};\n")
    dirname = shutil.which("dirname")
    assert dirname is not None
    (tools / "dirname").symlink_to(dirname)
    command = ["/bin/sh", shutil.copy(BUNDLE, own), str(static)]

    done = subprocess.run(command, env={"PATH": str(tools)}, capture_output=True, text=True, check=True)

    assert "not bundled" in done.stderr
    assert [path.name for path in static.iterdir()] == ["main.js"]
    assert (static / "main.js").read_text() == "export {};\n"
