"""Still pictures at a camera's full resolution."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from hardware.ports import CameraError, EndOfFramesError, StillCamera

if TYPE_CHECKING:
    from hardware.ports import Camera, Frame


def still_of(camera: Camera) -> Frame | None:
    """Return a picture at the camera's full resolution, or None if the camera cannot take one, or not now."""
    if isinstance(camera, StillCamera):
        # A calibration goes on without the still; a camera that is lost fails with its next frame as well.
        with suppress(CameraError, EndOfFramesError):
            return camera.still()
    return None
