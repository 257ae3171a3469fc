"""A camera with undistorted pictures."""

from dataclasses import replace

from calibration.framing import Framing, framing_between
from calibration.lens import Lens, LensError
from companion.languages import reason, said
from hardware.ports import Camera, CameraError, Frame, StillCamera


class StraightenedCamera:
    """A camera that removes the lens' distortion from another camera's pictures.

    Args:
        camera: the wrapped camera; it is closed with this one.
        lens: its lens, in terms of its frames.
    """

    def __init__(self, camera: Camera, lens: Lens) -> None:
        self._camera, self._lens = camera, lens
        self._latest: Frame | None = None
        self._of_stills: tuple[Framing, Lens] | None = None

    def capture(self) -> Frame:
        """Return the next frame, undistorted; its image is read-only.

        Raises:
            EndOfFramesError: there will be no more.
            CameraError: no frame could be taken, or its size differs from that of the lens' fit.
        """
        self._latest = self._camera.capture()
        return _straight(self._latest, self._lens)

    def still(self) -> Frame:
        """Return an undistorted still in the camera's greatest size, or the next frame if the camera takes no stills.

        Raises:
            EndOfFramesError: as `capture`.
            CameraError: as `capture`, or the camera does not report the view of a still with another aspect ratio.
        """
        if not isinstance(self._camera, StillCamera):
            return self.capture()
        # The lens was calibrated for frames: one is needed to know how a still's view relates to theirs.
        frame = self._latest = self._latest or self._camera.capture()
        still = self._camera.still()
        return _straight(replace(still, crop=still.crop or _whole(frame)), self._lens_of(still, frame))

    def close(self) -> None:
        """Release the camera; may be called more than once."""
        self._camera.close()

    def _lens_of(self, still: Frame, frame: Frame) -> Lens:
        """Return the lens in terms of a still."""
        # Frames of another size are refused by the lens, with the reason.
        if _size(frame) != self._lens.size_px or (_size(still) == _size(frame) and still.crop == frame.crop):
            return self._lens
        framing = framing_between(frame, still)
        if framing is None:
            size = "{} x {}".format(*_size(still))
            raise CameraError(
                said("the camera does not say which part of its view a photo of {size} pixels shows", size=size)
            )
        # A lens' tables take a moment to compute, and all stills have the same framing.
        if self._of_stills is None or self._of_stills[0] != framing:
            self._of_stills = framing, framing.lens(self._lens, _size(still))
        return self._of_stills[1]


def _straight(frame: Frame, lens: Lens) -> Frame:
    try:
        image = lens.straighten(frame.image)
    except LensError as error:
        raise CameraError(said("{fault}: calibrate it again with this camera setting", fault=reason(error))) from error
    image.setflags(write=False)
    return replace(frame, image=image, crop=_crop(frame, lens))


def _crop(frame: Frame, lens: Lens) -> tuple[float, float, float, float]:
    """Return the part of the view that an undistorted picture shows: a little more on every side."""
    left, top, width, height = frame.crop or _whole(frame)
    scale_x, scale_y = width / lens.size_px[0], height / lens.size_px[1]
    right, down = lens.straight_origin_px
    wide, high = lens.straight_size_px
    return left + right * scale_x, top + down * scale_y, wide * scale_x, high * scale_y


def _whole(frame: Frame) -> tuple[float, float, float, float]:
    """Return the whole frame as the view, for a camera that does not report it."""
    width, height = _size(frame)
    return 0.0, 0.0, float(width), float(height)


def _size(frame: Frame) -> tuple[int, int]:
    height, width = frame.image.shape[:2]
    return width, height
