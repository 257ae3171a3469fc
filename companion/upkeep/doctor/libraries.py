"""The checks that the libraries can be imported and are compatible."""

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from companion.languages import Sentence, all_of, said
from hardware.diagnosis import Finding, fault, note, ok
from hardware.environment import Environment, camera_command, is_clash
from vision.arithmetic import NoNumbersError

Load: TypeAlias = Callable[[str], object]
"""A function that imports a module."""
Version: TypeAlias = Callable[[str], str | None]
"""A function that returns the version of a distribution, or None if it is not installed."""

# What broken binary packages raise: a missing library, or NumPy's "dtype size changed", which is a ValueError.
_REASONS: Final = (ImportError, OSError, RuntimeError, ValueError, NotImplementedError)
_ABOUT: Final = said("libraries")
_LIBCAMERA: Final = "libcamera"


def check_vision(load: Load, version: Version, environment: Environment) -> Iterator[Finding]:
    """Yield the findings on the libraries for reading pictures."""
    for module, package in (("numpy", "numpy"), ("cv2", "opencv-python-headless")):
        reason = _reason(load, module)
        if reason is None:
            yield ok(_ABOUT, _imported(module, version(package)))
            continue
        yield fault(
            _ABOUT,
            said("{module} cannot be imported: {fault}", module=module, fault=reason),
            said("No picture can be read."),
            environment.pip("--force-reinstall", package),
        )
    if version("opencv-python") and version("opencv-python-headless"):
        says = said("They overwrite each other’s files, and the one with windows disturbs the camera’s preview.")
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


def check_picamera2(load: Load, version: Version, environment: Environment) -> Finding:
    """Return the finding on the libraries of the Pi's camera, picamera2 and libcamera."""
    reason = _reason(load, "libcamera")
    if reason is not None:
        return fault(
            _LIBCAMERA,
            said("libcamera’s Python bindings cannot be imported: {fault}", fault=reason),
            said("The Pi’s camera cannot be opened. libcamera is not available from pip: it comes with the system."),
            camera_command(environment),
        )
    reason = _reason(load, "picamera2")
    if reason is None:
        return ok(_LIBCAMERA, said("{modules} can be imported.", modules=all_of(["picamera2", "libcamera"])))
    # On bookworm, pip's NumPy 2 breaks the system's simplejpeg, which was built for NumPy 1.
    if is_clash(reason):
        numpy, simplejpeg = version("numpy") or "?", version("simplejpeg") or "?"
        return fault(
            _LIBCAMERA,
            said(
                "{ours} and the system’s {theirs} are not compatible.",
                ours=f"numpy {numpy}",
                theirs=f"simplejpeg {simplejpeg}",
            ),
            said(
                "picamera2 was built for the numpy that comes with the system, and pip has installed a different "
                "one that is used instead."
            ),
            environment.numpy_fitting(),
        )
    return fault(
        _LIBCAMERA,
        said("{module} cannot be imported: {fault}", module="picamera2", fault=reason),
        said("The Pi’s camera cannot be opened."),
        camera_command(environment),
    )


def _imported(module: str, version: str | None) -> Sentence:
    if version is None:
        return said("The system’s {module} can be imported.", module=module)
    return said("{module} {version} can be imported.", module=module, version=version)


def _reason(load: Load, module: str) -> str | None:
    """Return the reason why a module cannot be imported, in one line, or None if it can."""
    try:
        load(module)
    except _REASONS as error:
        return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".") + "."
    return None
