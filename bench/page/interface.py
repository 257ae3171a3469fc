"""Hold the page's JSON interface against its own description, with schemathesis; a fault ends it with status 1.

    pip install schemathesis
    python bench/page/interface.py [--examples 15] [--virtual] [--without-key]

A simulated evening is played in a process of its own, and asked with the table's key or without it, as wrongly as the
description allows; with --virtual it is the table that is played at on the page, so that games are begun and boards
calibrated. The stream of events is left out, as it has no end; so are the drawn buttons, which would end the evening
early.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LEFT_OUT = ("/api/events", "/api/press")
SLOWLY = "[simulation]\nfps = 60\n"
"""More pictures than the machine can render in time, so that the evening outlasts the test."""
SETTINGS = '[auth.openapi.key]\napi_key = "{key}"\n'


def schemathesis() -> str:
    """Return the path of schemathesis, beside this interpreter or in the PATH.

    Raises:
        SystemExit: it is not installed.
    """
    beside = Path(sys.executable).with_name("st")
    found = str(beside) if beside.exists() else shutil.which("st")
    if found is None:
        raise SystemExit("schemathesis is not installed: pip install schemathesis")
    return found


def ask(port: int, key: str | None, examples: int, folder: Path) -> int:
    """Test all described operations; return 0 if every response is as described."""
    settings = folder / "schemathesis.toml"
    settings.write_text("" if key is None else SETTINGS.format(key=key), encoding="utf-8")
    left_out = [part for path in LEFT_OUT for part in ("--exclude-path", path)]
    # Below the page's rate limits, so that requests reach the handlers.
    options = ["--max-examples", str(examples), "--rate-limit", "8/s", "--seed", "1", "--phases", "coverage,fuzzing"]
    description = f"http://localhost:{port}/api/openapi.json"
    command = [schemathesis(), "--config-file", str(settings), "run", description, *left_out, *options]
    return subprocess.run(command, check=False).returncode  # noqa: S603  # it is the program that was asked for


def main() -> int:
    """Play and test; return schemathesis' exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--examples", type=int, default=15)
    parser.add_argument("--virtual", action="store_true")
    parser.add_argument("--without-key", action="store_true")
    args = parser.parse_args()
    schemathesis()
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "slowly.toml"
        config.write_text(SLOWLY, encoding="utf-8")
        players = () if args.virtual else ("--autoplay", "--config", str(config))
        play = [sys.executable, "-m", "companion", "play", "--simulate", *players, "--new", "--port", "0"]
        play += ["--data", folder]
        with subprocess.Popen(play, stdout=subprocess.PIPE, text=True) as evening:  # noqa: S603
            assert evening.stdout is not None
            found = re.search(r":(\d+)/\?key=(\S+)", evening.stdout.readline())
            assert found is not None
            try:
                key = None if args.without_key else found[2]
                return ask(int(found[1]), key, args.examples, Path(folder))
            finally:
                evening.terminate()


if __name__ == "__main__":
    sys.exit(main())
