"""A camera whose pictures come straightened."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from calibration.lens import LensError
from hardware.ports import CameraError

if TYPE_CHECKING:
    from calibration.lens import Lens
    from hardware.ports import Camera, Frame


class StraightenedCamera:
    """Gives another camera's frames as a lens without distortion would.

    Args:
        camera: takes the pictures; it is closed with this one.
        lens: the lens that it takes them with.
    """

    def __init__(self, camera: Camera, lens: Lens) -> None:
        self._camera, self._lens = camera, lens

    def capture(self) -> Frame:
        """The next frame, straightened; its image is read-only.

        Raises:
            EndOfFramesError: there will be no more.
            CameraError: no frame could be taken, or it is of another size than those the lens was fitted to.
        """
        frame = self._camera.capture()
        try:
            image = self._lens.straighten(frame.image)
        except LensError as error:
            raise CameraError(f"{error}: calibrate it anew with this camera setting") from error
        image.setflags(write=False)
        return replace(frame, image=image)

    def close(self) -> None:
        """Release the camera; may be called more than once."""
        self._camera.close()
