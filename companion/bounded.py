"""Reading of files up to a maximum size, as a path given by a user may be a device or a film."""

import errno
import os
from pathlib import Path
from typing import Final

TEXT_BYTES: Final = 4 << 20
"""The size limit of text files, far above any configuration, calibration or sheet."""
PICTURE_BYTES: Final = 256 << 20
"""The size limit of pictures: the largest one that is decoded, hardly compressed."""


def read_bytes(path: Path, most_bytes: int = PICTURE_BYTES) -> bytes:
    """Return a file's content.

    Raises:
        OSError: it cannot be read, or is larger than `most_bytes` (EFBIG).
        ValueError: the path contains a null byte.
    """
    with path.open("rb") as stream:
        content = stream.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return content


def read_text(path: Path, encoding: str = "utf-8-sig") -> str:
    """Return a file's text.

    Raises:
        OSError: it cannot be read, or is larger than TEXT_BYTES.
        ValueError: the path contains a null byte, or, as UnicodeDecodeError, the text has another encoding.
    """
    return read_bytes(path, TEXT_BYTES).decode(encoding).replace("\r\n", "\n")
