"""Pictures as large as a camera takes them."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from hardware.ports import CameraError, EndOfFramesError, StillCamera

if TYPE_CHECKING:
    from hardware.ports import Camera, Frame


def still_of(camera: Camera) -> Frame | None:
    """A picture as large as the camera takes it; None from one that takes none, or none just now."""
    if isinstance(camera, StillCamera):
        with suppress(CameraError, EndOfFramesError):
            return camera.still()
    return None
