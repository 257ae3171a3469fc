"""A camera whose pictures are mirrored and turned: it hangs upside down, or its driver mirrors them."""

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hardware.ports import Frame, StillCamera

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Part = tuple[float, float, float, float]
"""Left, top, width and height."""

_QUARTER: Final = 90


class TurnedCamera:
    """A camera with the pictures of another one, mirrored and then turned.

    Args:
        camera: the wrapped camera; it is closed with this one.
        rotate: by how many degrees they are turned clockwise, a multiple of 90.
        flip: whether they are mirrored first, left to right.
    """

    def __init__(self, camera: StillCamera, rotate: int, *, flip: bool) -> None:
        self._camera, self._quarters, self._flip = camera, rotate // _QUARTER % 4, flip

    def capture(self) -> Frame:
        """Return the next frame; its image is read-only."""
        return self._turned(self._camera.capture())

    def still(self) -> Frame:
        """Return a picture in the camera's greatest size and quality."""
        return self._turned(self._camera.still())

    def close(self) -> None:
        """Release the camera; may be called more than once."""
        self._camera.close()

    def _turned(self, frame: Frame) -> Frame:
        image = _turned(frame.image, self._quarters, flip=self._flip)
        image.setflags(write=False)
        crop = None if frame.crop is None else _part(frame.crop, self._quarters, flip=self._flip)
        return replace(frame, image=image, crop=crop)


def turned(camera: StillCamera, rotate: int, *, flip: bool) -> StillCamera:
    """Return a camera with its pictures mirrored and turned; the camera itself if neither is asked for."""
    return TurnedCamera(camera, rotate, flip=flip) if rotate or flip else camera


def _turned(image: "NDArray[np.uint8]", quarters: int, *, flip: bool) -> "NDArray[np.uint8]":
    import numpy as np  # noqa: PLC0415  # Every command imports the composition, and few see pictures.

    # Counted anticlockwise there. A copy in the usual order of memory, which OpenCV needs.
    return np.ascontiguousarray(np.rot90(image[:, ::-1] if flip else image, -quarters))


def _part(part: Part, quarters: int, *, flip: bool) -> Part:
    """Return a part of the camera's view in the turned view, whose origin may be anywhere: pictures only share it."""
    left, top, width, height = part
    if flip:
        left = -(left + width)
    for _ in range(quarters):
        left, top, width, height = -(top + height), left, height, width
    return left, top, width, height
