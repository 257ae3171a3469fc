"""Lazy import of a vendor's library, with an error message on how to install it."""

import importlib
from typing import Any

from companion.languages import said
from hardware.environment import is_clash, this_environment
from hardware.ports import HardwareError


def vendor_module(name: str, mend: str) -> Any:
    """Return the module of that name.

    Args:
        name: such as "gpiozero".
        mend: the command that installs it into the current environment.

    Raises:
        HardwareError: it is not installed, or is incompatible with other packages.
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or name
        raise HardwareError(
            said("the Python module {module} is missing; install it: {command}", module=missing, command=mend)
        ) from error
    except (ImportError, OSError, RuntimeError, ValueError, NotImplementedError) as error:
        # numpy's "dtype size changed" is a ValueError, a board that Blinka does not know a NotImplementedError.
        first_line = (str(error).splitlines() or [type(error).__name__])[0]
        if is_clash(first_line):
            says = said(
                "the Python module {module} was built for a different numpy ({fault}); install one that matches: "
                "{command}",
                module=name,
                fault=first_line,
                command=this_environment().numpy_fitting(),
            )
            raise HardwareError(says) from error
        says = said(
            "the Python module {module} cannot be used here: {fault}; install it: {command}",
            module=name,
            fault=first_line,
            command=mend,
        )
        raise HardwareError(says) from error
