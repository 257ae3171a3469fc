"""The entry of the command `companion`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from companion.cli.commands import build_parser
from companion.cli.errors import EXIT_BAD_INPUT, EXIT_BROKEN_PIPE, EXIT_INTERRUPTED, one_line


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: the arguments without the program's name; those of the process where None.

    Returns:
        The exit status: 0, or 2 after one line on standard error that says what to mend.
    """
    args = argparse.Namespace()
    line = sys.argv[1:] if argv is None else argv
    try:
        args = build_parser(line).parse_args(line)
        status: int = args.run(args)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has gone; the interpreter must not stumble over it again when it closes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_BROKEN_PIPE
    except Exception as error:
        from companion.cli.mendable import USER_ERRORS  # noqa: PLC0415  # Most lines never need it.

        if not isinstance(error, USER_ERRORS):
            raise
        return _told(error, args)
    return status


def _told(error: Exception, args: argparse.Namespace) -> int:
    from companion.cli.options import terminal_language  # noqa: PLC0415  # Most lines never need it.

    sys.stderr.write(one_line(error, terminal_language(args)) + "\n")
    return EXIT_BAD_INPUT


if __name__ == "__main__":
    sys.exit(main())
