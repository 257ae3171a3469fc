"""Rendering of items on the table to frames; only changes since the last frame are redrawn."""

import math
from collections.abc import Sequence
from copy import copy
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing import Image, bytes_of, light
from hardware.simulated.drawing.light import Drift, LightField
from hardware.simulated.drawing.painter import Box, Painter, cut, merged
from hardware.simulated.drawing.pinhole import Pinhole, Sensor
from hardware.simulated.drawing.sprites import Item, Sprite, Warp, bowed
from hardware.simulated.optics import Optics
from hardware.simulated.prints.dress import sprite_of
from hardware.simulated.scene.lighting import EveningLight, Room, RoomField

LAMP: Final = (0.55, 0.42)
"""Length of a shadow, to the right and towards the near edge, for each millimetre of height."""


class Renderer:
    """A renderer of the table for one camera.

    It caches three pictures: the ground (table, mats, boards) and the settled scene in pinhole space, and the lit
    frame.
    """

    def __init__(self, conditions: Conditions, camera: Pinhole, rng: np.random.Generator) -> None:
        self._conditions = conditions
        self._rng = rng
        # A seed, so that light that is set up again has the same lamps and shadows.
        self._light_seed = int(rng.integers(2**32))
        self._table_top = int(rng.integers(light.TOPS))
        # A bump into the camera does not move the lamps.
        self._lamps_centre_mm = camera.centre_mm
        self._drift = Drift(conditions, rng)
        # Of its own, so that the evening is the same under every camera.
        self._optics = Optics(conditions, np.random.default_rng([self._light_seed, 5]))
        self._sensor = Sensor(
            camera.size_px, conditions.noise, conditions.jpeg_quality, rng,
            shot=conditions.shot_noise, chroma=conditions.chroma_noise,
        )  # fmt: skip
        self.look_from(camera)

    def look_from(self, camera: Pinhole) -> None:
        """Change the camera; everything is redrawn."""
        self._camera = camera
        self._lens_x, self._lens_y = camera.lens_map()
        self._set_light()
        self._falls = self._evening.falls or LAMP
        self._painter = Painter(camera, self._falls)
        self._ground_items: tuple[Item, ...] | None = None
        self._settled_items: tuple[Item, ...] = ()
        self._passing_items: tuple[Item, ...] = ()
        width, height = camera.size_px
        self._lit: Image = np.zeros((height, width, 3), np.uint8)

    def under(self, conditions: Conditions) -> None:
        """Change the light to that of the conditions; nothing on the table is redrawn."""
        self._conditions = conditions
        self._set_light()
        self._drift.under(conditions)
        self._optics.under(conditions)
        self._relit = True

    def _set_light(self) -> None:
        conditions, camera = self._conditions, self._camera
        # A copy, because a room's lamps change it.
        self._light = copy(_light_field(conditions, camera, self._light_seed))
        self._evening = EveningLight(conditions, self._lamps_centre_mm, self._light_seed)
        self._room: Room | None = None
        self._field: RoomField | None = None
        self._relit = False

    def frame(self, ground: Sequence[Item], settled: Sequence[Item], passing: Sequence[Item], t_s: float) -> Image:
        """Return one frame, (height, width, 3), uint8.

        Args:
            ground: mats and boards; a change redraws everything.
            settled: pieces at rest, in the order of laying.
            passing: hands and the pieces that they carry, in front of all else.
            t_s: time, for the changes of light.
        """
        before = (self._ground_items, self._settled_items)
        dirty = self._update(tuple(ground), tuple(settled), tuple(passing))
        self._light_up(self._evening.at(t_s), changed=before != (self._ground_items, self._settled_items))
        if self._relit:
            dirty, self._relit = [self._whole], False
        for box in merged(self._frame_box(box) for box in dirty):
            self._develop(box)
        seen = self._optics.through_lens(self._shake(self._lit), t_s)
        exposed = self._optics.exposed(self._drift.apply(seen, t_s))
        return self._sensor.expose(exposed, self._optics.processed)

    def _light_up(self, room: Room | None, *, changed: bool) -> None:
        """Update the room's light, if it changes; `changed`: the items differ from the last frame's."""
        # Gloss differs between items.
        mirrors = changed and self._conditions.gloss > 0
        if room is None or (room == self._room and not mirrors):
            return
        if self._field is None:
            rng = np.random.default_rng([self._light_seed, 4])
            self._field = RoomField(self._camera, self._conditions.gloss, rng)
        things = (*(self._ground_items or ()), *self._settled_items)
        falls = self._field.falls(room)
        self._light.lit_by(self._field.light(room, falls), self._field.shine(room, falls, things))
        self._room, self._relit = room, True

    def _update(self, ground: tuple[Item, ...], settled: tuple[Item, ...], passing: tuple[Item, ...]) -> list[Box]:
        """Update the cached pictures, and return the boxes in pinhole space that changed."""
        if ground != self._ground_items:
            self._set_out(ground, settled)
            dirty = [self._whole]
        else:
            dirty = merged(self._boxes(_differing(self._settled_items, settled)))
            for box in dirty:
                self._restore(self._settled, self._ground, box)
                _paint_all(self._camera, self._painter, self._settled, settled, box)
        passing_boxes = self._boxes((*self._passing_items, *passing)) if passing != self._passing_items else []
        dirty = merged([*dirty, *passing_boxes])
        for box in dirty:
            self._restore(self._canvas, self._settled, box)
            _paint_all(self._camera, self._painter, self._canvas, passing, box)
            left, top, right, bottom = box
            self._wide[top:bottom, left:right] = cv2.cvtColor(self._canvas[top:bottom, left:right], cv2.COLOR_BGR2BGRA)
        self._settled_items, self._passing_items = settled, passing
        return dirty

    @property
    def _whole(self) -> Box:
        return (0, 0, *self._camera.canvas_px)

    def _set_out(self, ground: tuple[Item, ...], settled: tuple[Item, ...]) -> None:
        self._ground, at_rest = _pictures(self._camera, self._table_top, self._falls, ground, settled)
        self._settled, self._canvas = at_rest.copy(), np.empty_like(at_rest)
        # The canvas again, with a fourth channel: OpenCV warps such pictures in half the time.
        self._wide: Image = np.empty((*self._canvas.shape[:2], 4), np.uint8)
        self._ground_items = ground

    def _boxes(self, items: Sequence[Item]) -> list[Box]:
        boxes = (self._painter.box(_sprite(item, self._camera), item.pose, item.z_mm, item.slope) for item in items)
        return [box for box in boxes if cut(box, self._whole) is not None]

    def _restore(self, canvas: Image, below: Image, box: Box) -> None:
        left, top, right, bottom = box
        canvas[top:bottom, left:right] = below[top:bottom, left:right]

    def _frame_box(self, box: Box) -> Box:
        """Return the box in the frame affected by a box in pinhole space, with a margin for blur."""
        left, top, right, bottom = box
        # More than the corners, because the lens bends the sides.
        grid = np.stack(np.meshgrid(np.linspace(left, right, 5), np.linspace(top, bottom, 5)), axis=-1)
        points = self._camera.to_frame(grid.reshape(-1, 2).astype(np.float64))
        margin = 4 + 3 * self._conditions.defocus_px
        width, height = self._camera.size_px
        low, high = np.floor(points.min(axis=0) - margin).astype(int), np.ceil(points.max(axis=0) + margin).astype(int)
        return max(0, int(low[0])), max(0, int(low[1])), min(width, int(high[0])), min(height, int(high[1]))

    def _develop(self, box: Box) -> None:
        """Apply lens, blur and light to a part of the frame."""
        if box[0] >= box[2] or box[1] >= box[3]:
            return
        margin = round(2 + 4 * self._conditions.defocus_px)
        width, height = self._camera.size_px
        left, top = max(0, box[0] - margin), max(0, box[1] - margin)
        right, bottom = min(width, box[2] + margin), min(height, box[3] + margin)
        lens_x, lens_y = self._lens_x[top:bottom, left:right], self._lens_y[top:bottom, left:right]
        wide = cv2.remap(self._wide, lens_x, lens_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        seen = cv2.cvtColor(wide, cv2.COLOR_BGRA2BGR)
        if self._conditions.defocus_px > 0:
            seen = cv2.GaussianBlur(seen, (0, 0), self._conditions.defocus_px)
        inner = np.ascontiguousarray(seen[box[1] - top : box[3] - top, box[0] - left : box[2] - left])
        self._lit[box[1] : box[3], box[0] : box[2]] = self._light.apply(bytes_of(inner), box)

    def _shake(self, image: Image) -> Image:
        if self._conditions.jitter_px <= 0:
            return image
        shift = self._rng.normal(0, self._conditions.jitter_px, 2)
        return bytes_of(cv2.filter2D(image, -1, _shifting(*shift), borderType=cv2.BORDER_REPLICATE))


@lru_cache(maxsize=4)  # a dozen megabytes each; the same table is often set up again
def _light_field(conditions: Conditions, camera: Pinhole, seed: int) -> LightField:
    return LightField(conditions, camera, np.random.default_rng(seed))


@lru_cache(maxsize=4)  # ten megabytes each, as above
def _pictures(
    camera: Pinhole, top: int, falls: tuple[float, float], ground: tuple[Item, ...], settled: tuple[Item, ...]
) -> tuple[Image, Image]:
    """Return the pinhole pictures of the ground alone, and with the pieces at rest; both are read-only."""
    painter, whole = Painter(camera, falls), (0, 0, *camera.canvas_px)
    below = _bare(camera, light.table_top(top))
    _paint_all(camera, painter, below, ground, whole)
    above = below.copy()
    _paint_all(camera, painter, above, settled, whole)
    # All tables with these objects share them.
    for each in (below, above):
        each.setflags(write=False)
    return below, above


def _bare(camera: Pinhole, top: Image) -> Image:
    """Return the pinhole picture of an empty table."""
    height, width = top.shape[:2]
    scale = 1 / light.PX_PER_MM
    to_mm = np.array([[scale, 0, -width / 2 * scale], [0, scale, -height / 2 * scale], [0, 0, 1]])
    # With a fourth channel, it is warped in half the time.
    wide = cv2.cvtColor(top, cv2.COLOR_BGR2BGRA)
    seen = cv2.warpPerspective(wide, camera.plane() @ to_mm, camera.canvas_px, borderMode=cv2.BORDER_REFLECT)
    return bytes_of(cv2.cvtColor(seen, cv2.COLOR_BGRA2BGR))


def _paint_all(camera: Pinhole, painter: Painter, canvas: Image, items: Sequence[Item], clip: Box) -> None:
    for item in items:
        painter.paint(canvas, _sprite(item, camera), item.pose, item.z_mm, clip, item.slope)


def _sprite(item: Item, camera: Pinhole) -> Sprite:
    return sprite_of(item) if item.warp is None else _bowed(item, item.warp, camera)


@lru_cache(maxsize=8)  # a distortion depends on the camera, which is seldom moved
def _bowed(item: Item, warp: Warp, camera: Pinhole) -> Sprite:
    return bowed(sprite_of(item), item.pose, warp, camera)


def _shifting(dx_px: float, dy_px: float) -> NDArray[np.float32]:
    """Return the kernel that shifts a picture to the right and down with bilinear interpolation.

    All pixels have the same shift, so that no map of the whole picture is needed, as for a warp.
    """
    reach = math.ceil(max(abs(dx_px), abs(dy_px)))
    offsets = np.arange(-reach, reach + 1)
    across, down = (np.maximum(0, 1 - np.abs(offsets + shift)) for shift in (dx_px, dy_px))
    return np.asarray(np.outer(down, across), np.float32)


def _differing(before: tuple[Item, ...], after: tuple[Item, ...]) -> tuple[Item, ...]:
    old, new = set(before), set(after)
    gone = (item for item in before if item not in new)
    return (*gone, *(item for item in after if item not in old))
