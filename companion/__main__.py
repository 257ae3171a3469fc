"""The entry point of the command `companion`."""

import argparse
import codecs
import errno
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TextIO

# The exit status that shells report for a program ended by Ctrl-C.
_EXIT_INTERRUPTED: Final = 130
# The errors about a file or folder that come from the disk or its owner, and never from a fault of the program.
_UNREADABLE: Final = (errno.EACCES, errno.EPERM, errno.ENAMETOOLONG, errno.ELOOP, errno.ENOTDIR, errno.EIO)
_UNWRITABLE: Final = (errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EEXIST)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: the arguments without the program's name; None for the process's.

    Returns:
        The exit status: 0, or 2 after one line on standard error that says what to correct; also that of a command
        interrupted by Ctrl-C (130) or writing to a closed pipe.
    """
    _prepare_streams()
    try:
        # Imported here, as Ctrl-C may come during the import, which takes some time.
        return _run(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:
        return _EXIT_INTERRUPTED


def _run(line: Sequence[str]) -> int:
    import argparse  # noqa: PLC0415  # As above.

    from companion.cli.commands import build_parser, with_command  # noqa: PLC0415
    from companion.terminal.output import EXIT_BAD_INPUT, EXIT_BROKEN_PIPE  # noqa: PLC0415

    args = argparse.Namespace()
    try:
        line = with_command(line)
        args = build_parser(line).parse_args(line)
        status: int = args.run(args)
        sys.stdout.flush()
    except BrokenPipeError:
        _forget(sys.stdout)
        return EXIT_BROKEN_PIPE
    except Exception as error:
        from companion.cli.commands import user_errors  # noqa: PLC0415  # Most lines never need it.

        if isinstance(error, OSError) and error.errno in _UNREADABLE + _UNWRITABLE and error.filename is not None:
            return _reported(_out_of_reach(error), args)
        if isinstance(error, OSError) and _is_refused(sys.stdout):
            return _output_lost(error, args)
        if isinstance(error, OSError) and _is_refused(sys.stderr):
            _forget(sys.stderr)
            return EXIT_BAD_INPUT
        if not isinstance(error, user_errors()):
            raise
        return _reported(error, args)
    return status


def _prepare_streams() -> None:
    """Open the null device in place of each standard stream that the parent process closed; let all text be printed."""
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115  # For as long as the program runs.
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  # For as long as the program runs.
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        codecs.register_error("json", _escaped)
        sys.stdout.reconfigure(errors="json")


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """Return what the encoding of the output lacks, such as a Persian name, escaped as in JSON, and where it ends."""
    import json  # noqa: PLC0415  # Hardly any output needs it.

    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


def _is_refused(stream: TextIO) -> bool:
    """Return whether a stream cannot be written to, as on a full disk."""
    try:
        stream.write("\n")
        stream.flush()
    except OSError:
        return True
    return False


def _forget(stream: TextIO) -> None:
    """Redirect an unwritable stream to the null device, so that closing it at exit raises no error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _out_of_reach(error: OSError) -> Exception:
    """Return the error about a place that cannot be used; until Python 3.13 `Path.exists` raises some of them."""
    from companion.errors import CompanionError  # noqa: PLC0415  # Most lines never need it.
    from companion.languages import unreadable, unwritable  # noqa: PLC0415

    says = unwritable if error.errno in _UNWRITABLE else unreadable
    return CompanionError(says(error.filename, error))


def _output_lost(error: OSError, args: argparse.Namespace) -> int:
    from companion.errors import CompanionError  # noqa: PLC0415  # Most lines never need it.
    from companion.languages import unwritable  # noqa: PLC0415

    _forget(sys.stdout)
    return _reported(CompanionError(unwritable("stdout", error)), args)


def _reported(error: Exception, args: argparse.Namespace) -> int:
    from companion.cli.options import terminal_language  # noqa: PLC0415  # Most lines never need it.
    from companion.terminal.output import EXIT_BAD_INPUT, one_line  # noqa: PLC0415

    try:
        sys.stderr.write(one_line(error, terminal_language(args)) + "\n")
        sys.stderr.flush()
    except OSError:  # The status alone tells.
        _forget(sys.stderr)
    return EXIT_BAD_INPUT


if __name__ == "__main__":
    sys.exit(main())
