"""The libraries that are imported, and whether they fit one another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from companion.doctor.finding import Finding, fault, note, ok

Load: TypeAlias = Callable[[str], object]
"""Imports a module."""
Version: TypeAlias = Callable[[str], str | None]
"""The version of an installed distribution; None where it is not installed."""

PICAMERA2: Final = "sudo apt install python3-picamera2 --no-install-recommends"
_REASONS: Final = (ImportError, OSError, RuntimeError, ValueError, NotImplementedError)
_OLD_CAMERA_STACK: Final = "pip install 'numpy<2' 'opencv-python-headless==4.11.0.86'"
"""Of bookworm: its simplejpeg was built for numpy 1.24, and this OpenCV is the last that takes that."""


def check_vision(load: Load, version: Version) -> Iterator[Finding]:
    """Whether pictures can be looked at."""
    for module, package in (("numpy", "numpy"), ("cv2", "opencv-python-headless")):
        reason = _reason(load, module)
        if reason is None:
            yield ok("libraries", f"{module} {version(package) or 'of the system'} can be imported.")
            continue
        yield fault(
            "libraries",
            f"{module} cannot be imported: {reason}",
            "No picture can be looked at.",
            f"pip install --force-reinstall {package}",
        )
    if version("opencv-python") and version("opencv-python-headless"):
        says = "They overwrite each other's files, and the one with windows disturbs the camera's preview."
        do = "pip uninstall opencv-python opencv-python-headless; pip install opencv-python-headless"
        yield note("libraries", "OpenCV is installed twice, with windows and without.", says, do)


def check_picamera2(load: Load, version: Version) -> Finding:
    """Whether a Pi's own camera can be spoken to."""
    reason = _reason(load, "libcamera")
    if reason is not None:
        return fault(
            "libcamera",
            f"libcamera's bindings cannot be imported: {reason}",
            "The Pi's camera cannot be opened. pip has no libcamera: it comes with the system.",
            f"{PICAMERA2}; the environment must be made with --system-site-packages",
        )
    reason = _reason(load, "picamera2")
    if reason is None:
        return ok("libcamera", "picamera2 and libcamera can be imported.")
    if "dtype size changed" in reason or "numpy" in reason:
        numpy, simplejpeg = version("numpy") or "?", version("simplejpeg") or "?"
        return fault(
            "libcamera",
            f"numpy {numpy} and the system's simplejpeg {simplejpeg} do not fit each other.",
            "picamera2 was built for the numpy that comes with the system, and pip has put another one before it.",
            _OLD_CAMERA_STACK,
        )
    return fault("libcamera", f"picamera2 cannot be imported: {reason}", "The Pi's camera cannot be opened.", PICAMERA2)


def _reason(load: Load, module: str) -> str | None:
    """Why a module cannot be imported, in a line; None where it can."""
    try:
        load(module)
    except _REASONS as error:
        return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".") + "."
    return None
