"""The light of one evening: lamps, sun and screen, what blocks them, and how they change.

People lean in, lamps are switched, the sun moves, a screen's content changes. Everything is a function of the seed and
the time, so that a frame does not depend on earlier ones.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing import Field, Image, Mask, Points, bytes_of, clipped, floats_of
from hardware.simulated.drawing.footprint import outline_mm
from hardware.simulated.drawing.light import COARSE, table_points
from hardware.simulated.drawing.pinhole import Pinhole
from hardware.simulated.drawing.sprites import BOARD_MM, Item, shape_of
from hardware.simulated.prints.dress import the_mat

Spot3: TypeAlias = tuple[float, float, float]
"""(x, y, z) in millimetres, z up from the table."""

# The least softness of a shadow's edge: hair and cloth fray it, and lamps are never points.
_LEAST_SOFT_MM: Final = 0.8


@dataclass(frozen=True, slots=True)
class Limb:
    """A rounded body part from one point to another, of one radius.

    Attributes:
        start: one end.
        end: the other end; the same point makes a ball.
        radius_mm: of the part.
    """

    start: Spot3
    end: Spot3
    radius_mm: float


def person(x_mm: float, y_mm: float, facing_deg: float, height_mm: float) -> tuple[Limb, ...]:
    """Return a player at the table, leaning in: a head, shoulders and both upper arms.

    Args:
        x_mm: of the head.
        y_mm: of the head.
        facing_deg: direction of their view, 0 towards larger x, clockwise as seen from above.
        height_mm: of the head's middle above the table.
    """
    angle = np.radians(facing_deg)
    ahead, aside = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    head = np.array([x_mm, y_mm])
    neck = head - 130 * ahead
    limbs = [Limb((x_mm, y_mm, height_mm), (x_mm, y_mm, height_mm + 60), 95.0)]
    ends = [neck + side * 190 * aside for side in (-1, 1)]
    low = height_mm - 160
    limbs.append(Limb((*map(float, ends[0]), low), (*map(float, ends[1]), low), 105.0))  # type: ignore[arg-type]
    for end in ends:
        elbow = end + 190 * ahead
        limbs.append(Limb((float(end[0]), float(end[1]), low), (float(elbow[0]), float(elbow[1]), low - 190), 52.0))
    return tuple(limbs)


def arm(from_mm: Spot3, to_mm: Spot3) -> tuple[Limb, ...]:
    """Return a forearm with a hand over the table."""
    wrist = tuple(a + 0.72 * (b - a) for a, b in zip(from_mm, to_mm, strict=True))
    return Limb(from_mm, (wrist[0], wrist[1], wrist[2]), 42.0), Limb((wrist[0], wrist[1], wrist[2]), to_mm, 36.0)


def lit(points_mm: NDArray[np.float32], lamp_mm: Spot3, lamp_size_mm: float, limbs: Iterable[Limb]) -> Field:
    """Return the visible share of a lamp from each point of the table past obstacles, 0..1.

    Args:
        points_mm: shape (..., 2), on the table.
        lamp_mm: the lamp's middle.
        lamp_size_mm: its diameter: a large lamp softens the shadows.
        limbs: the obstacles.
    """
    seen = np.ones(points_mm.shape[:-1], np.float32)
    lamp = floats_of(lamp_mm)
    flat = np.concatenate([points_mm, np.zeros((*points_mm.shape[:-1], 1), np.float32)], axis=-1)
    way = lamp - flat
    reach = np.linalg.norm(way, axis=-1)
    way = way / reach[..., None]
    for limb in limbs:
        gap, along = _passes(flat, way, limb)
        # The lamp's apparent radius from the table, where the ray passes the limb.
        soft = np.maximum(_LEAST_SOFT_MM, 0.5 * lamp_size_mm * along / reach)
        share = np.clip(0.5 + 0.5 * (gap - limb.radius_mm) / soft, 0, 1)
        seen *= np.where((along > 0) & (along < reach), share * share * (3 - 2 * share), 1)
    return floats_of(seen)


def _passes(points: Field, way: Field, limb: Limb) -> tuple[Field, Field]:
    """Return the distances of rays from a limb's axis, and of the nearest points from the rays' origins."""
    start, axis = floats_of(limb.start), floats_of(limb.end) - floats_of(limb.start)
    to_start = start - points
    leans = way @ axis
    first = (to_start * way).sum(axis=-1)
    square = float(axis @ axis)
    # A ray along the limb's axis has no single nearest point.
    slack = np.maximum(square - leans**2, 1e-3)
    share = np.clip((leans * first - to_start @ axis) / slack, 0, 1) if square > 0 else np.zeros_like(first)
    nearest = to_start + share[..., None] * axis
    along = (nearest * way).sum(axis=-1)
    gap = np.linalg.norm(nearest - along[..., None] * way, axis=-1)
    return floats_of(gap), floats_of(along)


Light: TypeAlias = tuple[float, float, float]
"""Blue, green, red; linear, white paper is 1."""


@dataclass(frozen=True, slots=True)
class Lamp:
    """A source of light.

    Attributes:
        at_mm: its middle in table space.
        bgr: its light on the table straight below `reference_mm`, blue-green-red, linear.
        size_mm: its diameter; a larger one softens shadows.
        reference_mm: the distance at which `bgr` applies.
        cone_deg: half the angle of its beam, which points at the table's middle; 180 for all directions.
        bars: of a window before it; None lets all light through.
    """

    at_mm: Spot3
    bgr: Light
    size_mm: float = 60.0
    reference_mm: float = 700.0
    cone_deg: float = 180.0
    bars: "Bars | None" = None


@dataclass(frozen=True, slots=True)
class Bars:
    """The projection of a window by the sun on the table: lit panes in a dark room.

    Attributes:
        angle_deg: of the panes' long sides on the table.
        pane_mm: width and height of a lit pane on the table.
        bar_mm: width of a bar's shadow.
        panes: numbers of panes across and down.
        shift_mm: of the whole, which moves with the sun.
        soft_mm: of the edges.
    """

    angle_deg: float
    pane_mm: tuple[float, float]
    bar_mm: float
    panes: tuple[int, int]
    shift_mm: tuple[float, float]
    soft_mm: float

    def passing(self, points_mm: NDArray[np.float32]) -> Field:
        """Return the share of light that reaches points (..., 2), 0..1."""
        cos, sin = np.cos(np.radians(self.angle_deg)), np.sin(np.radians(self.angle_deg))
        x = points_mm[..., 0] * cos + points_mm[..., 1] * sin - self.shift_mm[0]
        y = points_mm[..., 1] * cos - points_mm[..., 0] * sin - self.shift_mm[1]
        across = self._panes(x, self.pane_mm[0], self.panes[0])
        return floats_of(across * self._panes(y, self.pane_mm[1], self.panes[1]))

    def _panes(self, at: NDArray[np.float32], pane_mm: float, count: int) -> Field:
        pitch = pane_mm + self.bar_mm
        nearest = np.clip(np.round(at / pitch + (count - 1) / 2), 0, count - 1) - (count - 1) / 2
        inside = pane_mm / 2 - np.abs(at - nearest * pitch)
        return floats_of(np.clip(0.5 + inside / self.soft_mm, 0, 1))


@dataclass(frozen=True, slots=True)
class Room:
    """All light in a room at one moment.

    Attributes:
        ambient: ambient light, blue-green-red, linear.
        lamps: the lamps.
        limbs: obstacles to the lamps' light.
    """

    ambient: Light
    lamps: tuple[Lamp, ...]
    limbs: tuple[Limb, ...] = ()

    def falls(self, points_mm: NDArray[np.float32]) -> list[Field]:
        """Return each lamp's light on points (h, w, 2) of the table past obstacles, (h, w, 3), linear."""
        return [_falls(lamp, points_mm, self.limbs) for lamp in self.lamps]


def _falls(lamp: Lamp, points_mm: NDArray[np.float32], limbs: tuple[Limb, ...]) -> Field:
    if not any(lamp.bgr):
        return np.zeros((*points_mm.shape[:-1], 3), np.float32)
    at = floats_of(lamp.at_mm)
    way = at[:2] - points_mm
    reach = np.sqrt((way**2).sum(axis=-1) + at[2] ** 2)
    strength = (lamp.reference_mm / reach) ** 2 * at[2] / reach
    if lamp.cone_deg < 180:
        axis = at / np.linalg.norm(at)
        lean = ((way @ axis[:2]) + at[2] * axis[2]) / reach
        angle = np.degrees(np.arccos(np.clip(lean, -1, 1)))
        strength *= np.clip((lamp.cone_deg - angle) / 6 + 0.5, 0.0, 1)
    strength *= lit(points_mm, lamp.at_mm, lamp.size_mm, limbs)
    if lamp.bars is not None:
        strength *= lamp.bars.passing(points_mm)
    return floats_of(strength[..., None] * floats_of(lamp.bgr))


def lobe(
    points_mm: NDArray[np.float32], lamp: Lamp, eye_mm: Spot3, normals: NDArray[np.float32], roughness: float
) -> Field:
    """Return the share of a lamp's light reflected to the camera, (h, w), about 1 in the mirror direction.

    Args:
        points_mm: (h, w, 2) on the table.
        lamp: the lamp.
        eye_mm: the camera.
        normals: (h, w, 2), slopes of the surface in x and y; 0 for flat.
        roughness: 0.03 of laminate .. 0.4 of cloth-finished cardboard.
    """
    flat = np.concatenate([points_mm, np.zeros((*points_mm.shape[:-1], 1), np.float32)], axis=-1)
    halfway = _unit(floats_of(lamp.at_mm) - flat) + _unit(floats_of(eye_mm) - flat)
    # Slopes between the surface and the mirror direction: Beckmann's distribution, widened by the lamp's size.
    slopes = halfway[..., :2] / halfway[..., 2:] - normals
    width = roughness + 0.5 * lamp.size_mm / float(np.linalg.norm(lamp.at_mm))
    return floats_of(np.exp(-(slopes**2).sum(axis=-1) / width**2))


def _unit(vectors: Field) -> Field:
    return floats_of(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))


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
        every_s = conditions.switching_s
        if lamps and every_s > 0 and int(t_s // every_s) % 2:
            # Switched off: the last one is the desk lamp, if there is one.
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
