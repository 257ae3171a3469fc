"""A room's light in one camera's frame: a factor for every part of it, and reflections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from hardware.simulated.drawing.footprint import outline_mm
from hardware.simulated.drawing.images import Field, Image, Mask, bytes_of, clipped, floats_of
from hardware.simulated.drawing.items import BOARD_MM
from hardware.simulated.drawing.light import COARSE, table_points
from hardware.simulated.drawing.sprites import shape_of
from hardware.simulated.lighting.sources import lobe
from hardware.simulated.prints.looks import the_mat

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hardware.simulated.drawing.items import Item
    from hardware.simulated.drawing.pinhole import Pinhole, Points
    from hardware.simulated.lighting.blockers import Spot3
    from hardware.simulated.lighting.sources import Lamp, Room

_ROUGHNESS: Final = (0.05, 0.15)
"""Range of roughness, from laminated board, with a sharp reflection, to bare cardboard, with a diffuse one."""


class RoomField:
    """Light and reflections for one camera.

    Args:
        camera: the camera.
        gloss: of the glossiest surface, as `Conditions.gloss`.
        rng: source of the surfaces' gloss and roughness.
    """

    def __init__(self, camera: Pinhole, gloss: float, rng: np.random.Generator) -> None:
        self._camera, self._gloss = camera, gloss
        width, height = camera.size_px
        self._points = floats_of(table_points(camera, (width // COARSE, height // COARSE)))
        self._lobes: dict[Spot3, Field] = {}
        self._flat = np.zeros_like(self._points)
        self._roughness = float(np.exp(rng.uniform(*np.log(_ROUGHNESS))))
        self._shares = {"table": float(rng.choice([0.05, 0.5])), "mat": 0.06}
        self._shares |= {"board": float(rng.uniform(0.35, 1)), "patch": float(rng.uniform(0.35, 1))}

    def falls(self, room: Room) -> list[Field]:
        """Return each lamp's light on the table, (height / COARSE, width / COARSE, 3), linear."""
        return room.falls(self._points)

    def light(self, room: Room, falls: Iterable[Field]) -> Field:
        """Return the factor on the ordinary light, (height / COARSE, width / COARSE, 3), linear."""
        fallen = np.broadcast_to(floats_of(room.ambient), (*self._points.shape[:2], 3))
        return floats_of(sum(falls, fallen))

    def shine(self, room: Room, falls: Iterable[Field], items: Iterable[Item]) -> Image | None:
        """Return the reflections on the items, as large as a frame, in grey levels; None if nothing is glossy."""
        if self._gloss <= 0:
            return None
        mirrored = np.zeros((*self._points.shape[:2], 3), np.float32)
        for lamp, light in zip(room.lamps, falls, strict=True):
            mirrored += light * self._lobe(lamp)[..., None]
        levels = clipped(np.clip(mirrored * self._gloss, 0, 1) ** (1 / 2.2) * 255)
        wide = cv2.resize(levels, self._camera.size_px, interpolation=cv2.INTER_LINEAR)
        gloss = self.gloss(items)
        return bytes_of(cv2.multiply(wide, cv2.merge((gloss, gloss, gloss)), scale=1 / 255))

    def _lobe(self, lamp: Lamp) -> Field:
        # Lamps change their brightness, not their places.
        if lamp.at_mm not in self._lobes:
            mirror = lobe(self._points, lamp, self._camera.centre_mm, self._flat, self._roughness)
            self._lobes[lamp.at_mm] = mirror
        return self._lobes[lamp.at_mm]

    def gloss(self, items: Iterable[Item]) -> Mask:
        """Return the gloss of each part of the frame, (height, width), 0..255."""
        width, height = self._camera.size_px
        picture = np.full((height, width), round(255 * self._shares["table"]), np.uint8)
        for item in items:
            outline = _outline(item)
            if outline is not None:
                seen = self._camera.frame_points(item.pose.place(outline), item.z_mm + BOARD_MM)
                level = round(255 * self._shares.get(item.kind, 0.1))
                cv2.fillPoly(picture, [np.rint(seen * 16).astype(np.int32)], level, cv2.LINE_AA, 4)
        return picture


def _outline(item: Item) -> Points | None:
    """Return the corners of a flat object, in its own millimetres."""
    if item.kind == "patch":
        return outline_mm(shape_of(item.name, item.flipped))
    if item.kind in ("mat", "board"):
        mat = the_mat()
        sides = mat.page_mm if item.kind == "mat" else (mat.board_size_mm, mat.board_size_mm)
        return np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * np.array(sides, np.float64)
    return None
