"""Certificates for a broker on this machine, made by the distribution's openssl."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

OPENSSL = shutil.which("openssl")


def certificate(folder: Path) -> tuple[Path, Path]:
    """Return a self-signed certificate of localhost and its key."""
    assert OPENSSL is not None
    made, key = folder / "localhost.pem", folder / "localhost.key"
    options = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    alternative = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    command = [OPENSSL, *options.split(), *alternative, "-keyout", str(key), "-out", str(made)]
    subprocess.run(command, check=True, capture_output=True)
    return made, key


def expired(folder: Path, key: Path) -> Path:
    """Return an expired certificate of localhost, signed by a key: it is valid for the second in which it is made.

    OpenSSL 3.5 makes none whose end lies before its beginning.
    """
    assert OPENSSL is not None
    request, made = folder / "localhost.csr", folder / "expired.pem"
    asks = [OPENSSL, "req", "-new", "-key", str(key), "-subj", "/CN=localhost", "-out", str(request)]
    signs = ["x509", "-req", "-in", str(request), "-signkey", str(key), "-days", "0", "-out", str(made)]
    for command in (asks, [OPENSSL, *signs]):
        subprocess.run(command, check=True, capture_output=True)
    return made
