"""The libraries that are imported, and whether they fit one another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from companion.doctor.finding import Finding, fault, note, ok
from companion.languages import Sentence, all_of, said

Load: TypeAlias = Callable[[str], object]
"""Imports a module."""
Version: TypeAlias = Callable[[str], str | None]
"""The version of an installed distribution; None where it is not installed."""

PICAMERA2: Final = "sudo apt install python3-picamera2 --no-install-recommends"
_REASONS: Final = (ImportError, OSError, RuntimeError, ValueError, NotImplementedError)
_OLD_CAMERA_STACK: Final = "pip install 'numpy<2' 'opencv-python-headless==4.11.0.86'"
"""Of bookworm: its simplejpeg was built for numpy 1.24, and this OpenCV is the last that takes that."""

_ABOUT: Final = said("libraries")
_LIBCAMERA: Final = "libcamera"


def check_vision(load: Load, version: Version) -> Iterator[Finding]:
    """Whether pictures can be looked at."""
    for module, package in (("numpy", "numpy"), ("cv2", "opencv-python-headless")):
        reason = _reason(load, module)
        if reason is None:
            yield ok(_ABOUT, _imported(module, version(package)))
            continue
        yield fault(
            _ABOUT,
            said("{module} cannot be imported: {fault}", module=module, fault=reason),
            said("No picture can be looked at."),
            f"pip install --force-reinstall {package}",
        )
    if version("opencv-python") and version("opencv-python-headless"):
        says = said("They overwrite each other's files, and the one with windows disturbs the camera's preview.")
        do = "pip uninstall opencv-python opencv-python-headless; pip install opencv-python-headless"
        yield note(_ABOUT, said("OpenCV is installed twice, with windows and without."), says, do)


def check_picamera2(load: Load, version: Version) -> Finding:
    """Whether a Pi's own camera can be spoken to."""
    reason = _reason(load, "libcamera")
    if reason is not None:
        return fault(
            _LIBCAMERA,
            said("libcamera's bindings cannot be imported: {fault}", fault=reason),
            said("The Pi's camera cannot be opened. pip has no libcamera: it comes with the system."),
            said(
                "{command}; the environment must be made with {option}",
                command=PICAMERA2,
                option="--system-site-packages",
            ),
        )
    reason = _reason(load, "picamera2")
    if reason is None:
        return ok(_LIBCAMERA, said("{modules} can be imported.", modules=all_of(["picamera2", "libcamera"])))
    if "dtype size changed" in reason or "numpy" in reason:
        numpy, simplejpeg = version("numpy") or "?", version("simplejpeg") or "?"
        return fault(
            _LIBCAMERA,
            said(
                "{ours} and the system's {theirs} do not fit each other.",
                ours=f"numpy {numpy}",
                theirs=f"simplejpeg {simplejpeg}",
            ),
            said(
                "picamera2 was built for the numpy that comes with the system, and pip has put another one before it."
            ),
            _OLD_CAMERA_STACK,
        )
    return fault(
        _LIBCAMERA,
        said("{module} cannot be imported: {fault}", module="picamera2", fault=reason),
        said("The Pi's camera cannot be opened."),
        PICAMERA2,
    )


def _imported(module: str, version: str | None) -> Sentence:
    if version is None:
        return said("{module} of the system can be imported.", module=module)
    return said("{module} {version} can be imported.", module=module, version=version)


def _reason(load: Load, module: str) -> str | None:
    """Why a module cannot be imported, in a line; None where it can."""
    try:
        load(module)
    except _REASONS as error:
        return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".") + "."
    return None
