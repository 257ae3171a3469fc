"""The entry of the command `companion`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from companion.cli.commands import build_parser
from companion.cli.errors import EXIT_BAD_INPUT, EXIT_BROKEN_PIPE, EXIT_INTERRUPTED, USER_ERRORS, one_line
from companion.cli.options import terminal_language


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: the arguments without the program's name; those of the process where None.

    Returns:
        The exit status: 0, or 2 after one line on standard error that says what to mend.
    """
    args = argparse.Namespace()
    try:
        args = build_parser().parse_args(argv)
        status: int = args.run(args)
        sys.stdout.flush()
    except USER_ERRORS as error:
        sys.stderr.write(one_line(error, terminal_language(args)) + "\n")
        return EXIT_BAD_INPUT
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has gone; the interpreter must not stumble over it again when it closes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_BROKEN_PIPE
    return status


if __name__ == "__main__":
    sys.exit(main())
