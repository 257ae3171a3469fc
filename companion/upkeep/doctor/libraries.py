"""The checks that the libraries can be imported and are compatible."""

from collections.abc import Callable, Iterator
from typing import Final

from companion.languages import Sentence, said
from hardware.diagnosis import Finding, Machine, fault, note, ok
from hardware.environment import Environment, first_line
from vision.arithmetic import NoNumbersError

# What broken binary packages raise: a missing library, or NumPy's "dtype size changed", which is a ValueError.
_REASONS: Final = (ImportError, OSError, RuntimeError, ValueError, NotImplementedError)
_ABOUT: Final = said("libraries")


def check_vision(machine: Machine) -> Iterator[Finding]:
    """Yield the findings on the libraries for reading pictures."""
    for module, package in (("numpy", "numpy"), ("cv2", "opencv-python-headless")):
        reason = _reason(machine, module)
        if reason is None:
            yield ok(_ABOUT, _imported(module, machine.version(package)))
            continue
        yield fault(
            _ABOUT,
            said("{module} cannot be imported: {fault}", module=module, fault=reason),
            said("No picture can be read."),
            machine.environment.pip("--force-reinstall", package),
        )
    if machine.version("opencv-python") and machine.version("opencv-python-headless"):
        says = said("They overwrite each other’s files, and the one with windows disturbs the camera’s preview.")
        environment = machine.environment
        do = f"{environment.without('opencv-python')}; {environment.pip('--force-reinstall', 'opencv-python-headless')}"
        yield note(_ABOUT, said("OpenCV is installed twice, with windows and without."), says, do)


def check_arithmetic(look: Callable[[], object], environment: Environment) -> Finding:
    """Return the finding on whether a neural network's results, computed by `look`, are finite numbers."""
    try:
        look()
    except NoNumbersError:
        return fault(
            _ABOUT,
            said("OpenCV cannot calculate on this processor."),
            said("No photograph can be scored, and no patch in the circle can be found."),
            environment.pip("--force-reinstall", "opencv-python-headless"),
        )
    return ok(_ABOUT, said("OpenCV’s arithmetic works on this processor."))


def _imported(module: str, version: str | None) -> Sentence:
    if version is None:
        return said("The system’s {module} can be imported.", module=module)
    return said("{module} {version} can be imported.", module=module, version=version)


def _reason(machine: Machine, module: str) -> str | None:
    """Return the reason why a module cannot be imported, in one line, or None if it can."""
    try:
        machine.load(module)
    except _REASONS as error:
        return first_line(error).rstrip(".") + "."
    return None
