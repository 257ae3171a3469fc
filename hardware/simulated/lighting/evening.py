"""The changing light of one evening: people leaning in, lamps being switched, the sun's motion, a screen's content.

Everything is a function of the seed and the time, so that a frame does not depend on earlier ones.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing.footprint import outline_mm
from hardware.simulated.drawing.images import Field, Image, Mask, bytes_of, clipped, floats_of
from hardware.simulated.drawing.items import BOARD_MM, Item
from hardware.simulated.drawing.light import COARSE, table_points
from hardware.simulated.drawing.pinhole import Pinhole, Points
from hardware.simulated.drawing.sprites import shape_of
from hardware.simulated.lighting.blockers import Limb, Spot3, arm, person
from hardware.simulated.lighting.sources import Bars, Lamp, Light, Room, lobe
from hardware.simulated.prints.looks import the_mat

# Range of roughness, from laminated board, with a sharp reflection, to bare cardboard, with a diffuse one.
_ROUGHNESS: Final = (0.05, 0.15)


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


LEAN_S: Final = 2.0
"""Time that a person leans in, or stays away."""
SUN_MM_MIN: Final = 9.0
"""Speed of the sun's light on the table: a quarter of a degree a minute, two metres from the window."""
FLASH_S: Final = 0.6
"""Time that a film's picture keeps about the same brightness."""

# Share of the light from walls and ceiling, which also reaches a lamp's shadow.
_AMBIENT: Final = 0.4
# The longest drawn shadow of patches: longer ones are too pale to be visible.
_STEEPEST: Final = 1.4


class EveningLight:
    """The room's light over time.

    Args:
        conditions: the strengths of lamps, shadows, sun and screen.
        eye_mm: the camera's place, by which the pendant lamp is placed so that its mirror image is on the table.
        seed: of all random choices.
    """

    def __init__(self, conditions: Conditions, eye_mm: Spot3, seed: int) -> None:
        self._conditions, self._seed = conditions, seed
        rng = np.random.default_rng([seed, 1])
        self._pendant = _pendant(rng, eye_mm)
        self._desk = _desk(rng)
        self._sun = _sun(rng)
        self._screen = _screen(rng)

    @property
    def falls(self) -> tuple[float, float] | None:
        """The length of a small object's shadow for each millimetre of its height, or None on an ordinary evening."""
        if not is_eventful(self._conditions):
            return None
        lamp = self._desk if self._conditions.desk_lamp > 0.5 else self._pendant
        slope = -np.asarray(lamp.at_mm[:2]) / lamp.at_mm[2]
        slope *= min(1.0, _STEEPEST / max(float(np.linalg.norm(slope)), 1e-6))
        return float(slope[0]), float(slope[1])

    def at(self, t_s: float) -> Room | None:
        """Return the room at a time; None on an ordinary evening, whose light is a fixed field."""
        conditions = self._conditions
        if not is_eventful(conditions):
            return None
        share = 1 - _AMBIENT
        lamps = [_times(self._pendant, share * (1 - conditions.desk_lamp))] if conditions.desk_lamp < 1 else []
        if conditions.desk_lamp > 0:
            lamps.append(_times(self._desk, share * conditions.desk_lamp))
        if lamps and not self._lamp_is_on(t_s):
            # The last one is the desk lamp, if there is one.
            lamps[-1] = _times(lamps[-1], 0.0)
        if conditions.sun > 0:
            lamps.append(_times(self._sun_at(t_s), conditions.sun))
        if conditions.television > 0:
            lamps.append(self._flash(t_s))
        # The exposure is set for all of this light together.
        exposure = 1 / (1 + 0.6 * conditions.sun + 0.7 * conditions.television)
        limbs = self._limbs(t_s, lamps)
        return Room(_scaled(self._shade(), exposure), tuple(_times(lamp, exposure) for lamp in lamps), limbs)

    def _shade(self) -> Light:
        """Return the ambient light: in the shade of a warm lamp it looks blue."""
        warmth = float(np.log(5500 / self._conditions.shade_temperature_k))
        blue, red = float(np.exp(-0.75 * warmth)), float(np.exp(0.42 * warmth))
        return _AMBIENT * blue, _AMBIENT, _AMBIENT * red

    def _lamp_is_on(self, t_s: float) -> bool:
        """Return whether the switched lamp is on."""
        every_s = self._conditions.switching_s
        return every_s <= 0 or int(t_s // every_s) % 2 == 0

    def _sun_at(self, t_s: float) -> Lamp:
        bars = self._sun.bars
        if bars is None:
            return self._sun
        x, y = bars.shift_mm
        way = SUN_MM_MIN * t_s / 60
        return replace(self._sun, bars=replace(bars, shift_mm=(x + way, y + 0.4 * way)))

    def _flash(self, t_s: float) -> Lamp:
        rng = np.random.default_rng([self._seed, 2, int(t_s // FLASH_S)])
        blue, green, red = self._conditions.television * np.exp(rng.normal(0, 0.4) + rng.normal(0, 0.25, 3))
        return replace(self._screen, bgr=(float(blue), float(green), float(red)))

    def _limbs(self, t_s: float, lamps: list[Lamp]) -> tuple[Limb, ...]:
        """Return the limbs of a player between the strongest lamp and a place on the table, if there is one."""
        rng = np.random.default_rng([self._seed, 3, int(t_s // LEAN_S)])
        if rng.random() >= self._conditions.people or not lamps:
            return ()
        lamp = max(lamps, key=lambda each: sum(each.bgr))
        x_mm, y_mm = rng.uniform((-380, -130), (380, 150))
        up_mm = float(rng.uniform(0.3, 0.6) * min(lamp.at_mm[2], 1100.0))
        share = up_mm / lamp.at_mm[2]
        # Only x and y: the lamp also has a height, so that the lengths differ.
        x_mm, y_mm = (float(at + share * (far - at)) for at, far in zip((x_mm, y_mm), lamp.at_mm, strict=False))
        if rng.random() < 0.35:
            side = float(rng.choice([-1, 1]))
            return arm((x_mm, y_mm + side * 420, up_mm + 100), (x_mm, y_mm, up_mm))
        return person(x_mm, y_mm, float(rng.choice([-90, 90]) + rng.normal(0, 20)), up_mm)


def is_eventful(conditions: Conditions) -> bool:
    """Return whether the light has changing causes, instead of one fixed field."""
    changing = (conditions.people, conditions.switching_s, conditions.sun, conditions.television)
    return max(*changing, conditions.desk_lamp, conditions.gloss) > 0


def _times(lamp: Lamp, factor: float) -> Lamp:
    return replace(lamp, bgr=_scaled(lamp.bgr, factor))


def _scaled(light: Light, factor: float) -> Light:
    blue, green, red = light
    return blue * factor, green * factor, red * factor


def _pendant(rng: np.random.Generator, eye_mm: Spot3) -> Lamp:
    # Where boards lie, in any seating: a mirror image between them would be harmless.
    target = rng.uniform((80, -60), (330, 90)) * (rng.choice([-1, 1]), 1)
    up_mm = float(rng.uniform(1000, 1700))
    # Reflected at the target, the line of sight meets the lamp.
    far = up_mm / eye_mm[2]
    x_mm, y_mm = (float(at + far * (at - eye)) for at, eye in zip(target, eye_mm, strict=False))
    size_mm = float(rng.uniform(60, 260))
    return Lamp((x_mm, y_mm, up_mm), (1.0, 1.0, 1.0), size_mm, _reach((x_mm, y_mm, up_mm)))


def _desk(rng: np.random.Generator) -> Lamp:
    angle, away = rng.uniform(0, 2 * np.pi), rng.uniform(420, 650)
    at = (float(away * np.cos(angle)), float(0.8 * away * np.sin(angle)), float(rng.uniform(330, 560)))
    return Lamp(at, (0.72, 0.94, 1.12), float(rng.uniform(12, 70)), _reach(at))


def _sun(rng: np.random.Generator) -> Lamp:
    angle, low = rng.uniform(0, 2 * np.pi), rng.uniform(0.7, 1.4)
    at = (float(5000 * np.cos(angle)), float(5000 * np.sin(angle)), float(5000 * low))
    pane = (float(rng.uniform(90, 200)), float(rng.uniform(140, 300)))
    turn, soft = float(rng.uniform(0, 180)), float(np.exp(rng.uniform(0.7, 2.7)))
    x_mm, y_mm = rng.uniform((-220, -80), (220, 80))
    bars = Bars(turn, pane, float(rng.uniform(15, 45)), (int(rng.integers(2, 5)), 2), (float(x_mm), float(y_mm)), soft)
    return Lamp(at, (0.92, 1.0, 1.04), 60.0, _reach(at), bars=bars)


def _screen(rng: np.random.Generator) -> Lamp:
    at = (float(rng.choice([-1, 1]) * rng.uniform(700, 1300)), float(-rng.uniform(200, 900)), 520.0)
    return Lamp(at, (1.0, 1.0, 1.0), 600.0, _reach(at))


def _reach(at: Spot3) -> float:
    """Return the reference distance at which a lamp has its nominal brightness in the middle of the table."""
    far = float(np.linalg.norm(at))
    # The inverse of the law in `sources`: the square of the distance, and the cosine of the incidence.
    return float(far * np.sqrt(far / at[2]))
