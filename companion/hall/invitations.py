"""Invitations of tables, stored in files, and the broker's users that they make.

Each is for one table, can be used once, and expires after a day.
"""

import hashlib
import secrets
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from companion.durable import rewrite
from companion.languages import unwritable
from companion.mqtt.joining import SECRET_BYTES, BrokerPlace, JoinError
from companion.ownership import as_owner_of

PASSWORDS: Final = Path("/etc/mosquitto/passwords")
_PROGRAM: Final = "mosquitto_passwd"


def set_passwords(file: Path, passwords: dict[str, str]) -> None:
    """Set the passwords of users in a password file; other users keep theirs.

    The broker reads the file again when it is reloaded.

    Args:
        file: the `password_file` of Mosquitto's configuration; it must exist.
        passwords: the password of each user.

    Raises:
        JoinError: the file does not exist or cannot be written, or Mosquitto's tool is missing or fails.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        others = [line for line in lines if line.partition(":")[0] not in passwords]
        written = "".join(f"{line}\n" for line in [*others, *_hashed(passwords)])
        # The broker may read the file at any time: it sees the old users or the new ones.
        rewrite(file, written.encode())
    except (OSError, UnicodeDecodeError) as error:
        raise JoinError(unwritable(file, error)) from error


def _hashed(passwords: dict[str, str]) -> list[str]:
    """Return users' lines with hashed passwords, made by Mosquitto's tool; passwords never appear on a command line."""
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "passwords"
        # Created with this mode: a file that is only restricted afterwards could be opened in between.
        plain.touch(mode=0o600)
        plain.write_text("".join(f"{user}:{password}\n" for user, password in passwords.items()), encoding="utf-8")
        try:
            subprocess.run([_PROGRAM, "-U", str(plain)], check=True, capture_output=True)  # noqa: S603
        except (OSError, subprocess.CalledProcessError) as error:
            raise JoinError.said(
                "{program} is missing or fails; install it with {command}",
                program=_PROGRAM,
                command="sudo apt install mosquitto",
            ) from error
        return plain.read_text(encoding="utf-8").splitlines()


LASTS_S: Final = 24 * 3600.0
FOLDER_NAME: Final = "invitations"


class _Invitation(msgspec.Struct, frozen=True):
    until_s: float
    place: BrokerPlace


class Invitations:
    """The invitations in a folder; file names are hashes of the secrets.

    Args:
        folder: the folder of the files; created with the first one.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def add(self, place: BrokerPlace, now_s: float) -> bytes:
        """Store an invitation, replacing an older one of the same table, and return its secret.

        Args:
            place: the broker's address and the table's credentials.
            now_s: the current time, in seconds since 1970.

        Raises:
            OSError: it cannot be written.
        """
        # The service's user must be able to read and delete it.
        with as_owner_of(self._folder):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # A table's earlier password is replaced with its new invitation, so an older code would be of no use.
            for path in self._folder.glob("*.json"):
                kept = _read(path)
                if kept is None or kept.until_s < now_s or kept.place.table == place.table:
                    path.unlink(missing_ok=True)
            secret = secrets.token_bytes(SECRET_BYTES)
            path = self._path(secret)
            rewrite(path, msgspec.json.encode(_Invitation(now_s + LASTS_S, place)), 0o600)
        return secret

    def take(self, secret: bytes, now_s: float) -> BrokerPlace | None:
        """Delete an invitation and return its content, or None if there is none or it has expired."""
        path = self._path(secret)
        kept = _read(path)
        try:
            path.unlink()
        except OSError:
            # Another request has taken it, or it cannot be deleted and could be used again.
            return None
        return kept.place if kept is not None and kept.until_s >= now_s else None

    def _path(self, secret: bytes) -> Path:
        return self._folder / f"{hashlib.sha256(secret).hexdigest()[:32]}.json"


def _read(path: Path) -> _Invitation | None:
    with suppress(OSError, msgspec.DecodeError):
        return msgspec.json.decode(path.read_bytes(), type=_Invitation)
    return None
