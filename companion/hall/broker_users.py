"""The users in the password file of a hall's Mosquitto broker."""

import os
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from companion.durable import take_place, write_beside
from companion.languages import said, system_says
from companion.mqtt.joining import JoinError

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
        # The broker may read the file at any time: it sees the old users or the new ones, with owner and mode as
        # before.
        beside = write_beside(file, written.encode())
        owner = file.stat()
        beside.chmod(owner.st_mode & 0o777)
        # Only root may give a file away; for any other user, the new file belongs to that user in any case.
        if os.geteuid() == 0:
            os.chown(beside, owner.st_uid, owner.st_gid)
        take_place(beside, file)
    except (OSError, UnicodeDecodeError) as error:
        fault = system_says(error) if isinstance(error, OSError) else str(error)
        raise JoinError(said("{path}: cannot be written: {fault}", path=str(file), fault=fault)) from error


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
            says = said(
                "{program} is missing or fails; install it with {command}",
                program=_PROGRAM,
                command="sudo apt install mosquitto",
            )
            raise JoinError(says) from error
        return plain.read_text(encoding="utf-8").splitlines()
