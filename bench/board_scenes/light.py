"""The light of random evenings over a board, with its changes from look to look."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bench.board_scenes.canvas import CANVAS_PX, PX_PER_MM, TO_CANVAS, Canvas, contact_shadow
from hardware.simulated.drawing import Field, floats_of
from hardware.simulated.prints.cloths import blotches
from hardware.simulated.scene.lighting import Bars, Lamp, Room, arm, lobe, person

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bench.board_scenes.camera import Eye
    from hardware.simulated.scene.lighting import Limb

# The step in canvas pixels at which light is computed: two millimetres.
_COARSE: Final = 4
# The share of light that each grey level of a print reflects.
_LINEAR: Final = floats_of(((np.arange(256) + 0.5) / 256) ** 2.2).reshape(1, 256)


@dataclass(frozen=True, slots=True)
class Mood:
    """The properties of an evening's light.

    Attributes:
        room: the room with all lamps on and no people near.
        bother: the rate of people's shadows on the board, 0..1.
        flicker: the change of a screen's light from look to look, 0..1; the screen is the last lamp.
        creep_mm: the shift of the sun's window panes from look to look.
        switching: the rate at which a lamp is switched on or off, 0..1.
        drift: the relative change of exposure and colour from look to look.
        shine: the light that a fully glossy surface mirrors.
        roughness: the roughness of glossy surfaces.
    """

    room: Room
    bother: float
    flicker: float
    creep_mm: float
    switching: float
    drift: float
    shine: float
    roughness: float


def random_mood(rng: np.random.Generator, eye: Eye) -> Mood:
    """Return a random evening: a ceiling lamp, a desk lamp, the sun through a window, two lamps, or a television."""
    board_mm = (eye.board.x_mm, eye.board.y_mm)
    kind = str(rng.choice(["ceiling", "desk", "window", "two", "screen"], p=[0.3, 0.3, 0.15, 0.15, 0.1]))
    ambient, lamps = _KINDS[kind](rng, board_mm)
    mirrored = rng.random() < 0.35
    if mirrored:
        lamps = (_mirrored(rng, lamps[0], eye), *lamps[1:])
    hard = kind != "ceiling" or rng.random() < 0.4
    return Mood(
        room=Room(ambient, lamps),
        bother=float(rng.uniform(0.2, 0.7)) if hard else float(rng.choice([0.0, 0.3])),
        flicker=float(rng.uniform(0.2, 0.7)) if kind == "screen" else 0.0,
        creep_mm=float(rng.uniform(1, 14)) if kind == "window" else 0.0,
        switching=0.08 if len(lamps) > 1 else 0.0,
        drift=float(rng.choice([0.01, 0.03, 0.1])),
        shine=float(np.exp(rng.uniform(np.log(0.05), np.log(2.5)))) if mirrored or rng.random() < 0.5 else 0.0,
        roughness=float(np.exp(rng.uniform(np.log(0.06), np.log(0.35)))),
    )


_Kelvin = tuple[float, float, float]


def _warm(rng: np.random.Generator, low: float, high: float) -> Field:
    """Return the BGR colour of a lamp with a random temperature in kelvin, relative to daylight, with green 1."""
    warmth = np.log(5500 / rng.uniform(low, high))
    return floats_of(np.exp([-0.9 * warmth, 0.0, 0.5 * warmth]))


def _triple(colour: NDArray[np.floating]) -> tuple[float, float, float]:
    return float(colour[0]), float(colour[1]), float(colour[2])


def _around(
    rng: np.random.Generator, board_mm: tuple[float, float], away: tuple[float, float], up: tuple[float, float]
) -> tuple[float, float, float]:
    angle, far = rng.uniform(0, 2 * np.pi), rng.uniform(*away)
    return board_mm[0] + float(far * np.cos(angle)), board_mm[1] + float(far * np.sin(angle)), float(rng.uniform(*up))


def _mirrored(rng: np.random.Generator, lamp: Lamp, eye: Eye) -> Lamp:
    """Return a lamp moved so that the camera sees its reflection on the board, at the same distance from it."""
    target = np.append(eye.board.place(rng.uniform(-80, 80, (1, 2)))[0], 0.0)
    way = (target - np.asarray(eye.pinhole.centre_mm)) * (1, 1, -1)
    at = target + way * (float(np.linalg.norm(np.asarray(lamp.at_mm) - target)) / float(np.linalg.norm(way)))
    return replace(lamp, at_mm=_triple(at))


def _ceiling(rng: np.random.Generator, board_mm: tuple[float, float]) -> tuple[_Kelvin, tuple[Lamp, ...]]:
    at = _around(rng, board_mm, (100, 1200), (900, 1900))
    light = _warm(rng, 2700, 6000)
    lamp = Lamp(at, _triple(0.7 * light), float(rng.uniform(60, 400)), float(np.linalg.norm(at)))
    return _triple(rng.uniform(0.2, 0.6) * _warm(rng, 3000, 7000)), (lamp,)


def _desk(rng: np.random.Generator, board_mm: tuple[float, float]) -> tuple[_Kelvin, tuple[Lamp, ...]]:
    at = _around(rng, board_mm, (150, 650), (260, 700))
    cone = float(rng.uniform(28, 60)) if rng.random() < 0.35 else 180.0
    wide, far = float(np.exp(rng.uniform(1, 4.8))), float(rng.uniform(350, 700))
    lamp = Lamp(at, _triple(_warm(rng, 2400, 5000)), wide, far, cone)
    return _triple(rng.uniform(0.12, 0.5) * _warm(rng, 3000, 12000)), (lamp,)


def _window(rng: np.random.Generator, board_mm: tuple[float, float]) -> tuple[_Kelvin, tuple[Lamp, ...]]:
    angle, low = rng.uniform(0, 2 * np.pi), rng.uniform(0.5, 1.6)
    at = (float(4000 * np.cos(angle)), float(4000 * np.sin(angle)), float(4000 * low))
    far = float(np.linalg.norm(at))
    bars = None
    if rng.random() < 0.75:
        middle = floats_of(board_mm) + rng.normal(0, 110, 2)
        turn = float(rng.uniform(0, 180))
        cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        shift = (float(middle[0] * cos + middle[1] * sin), float(middle[1] * cos - middle[0] * sin))
        pane = (float(rng.uniform(50, 200)), float(rng.uniform(60, 320)))
        count = (int(rng.integers(1, 5)), int(rng.integers(1, 4)))
        bars = Bars(turn, pane, float(rng.uniform(8, 60)), count, shift, float(np.exp(rng.uniform(0, 3.6))))
    sun = Lamp(at, _triple(rng.uniform(0.6, 1.6) * _warm(rng, 4200, 6000)), float(rng.uniform(30, 900)), far, 180, bars)
    return _triple(rng.uniform(0.15, 0.6) * _warm(rng, 5500, 11000)), (sun,)


def _two(rng: np.random.Generator, board_mm: tuple[float, float]) -> tuple[_Kelvin, tuple[Lamp, ...]]:
    ambient, first = _desk(rng, board_mm)
    _, second = (_desk if rng.random() < 0.5 else _ceiling)(rng, board_mm)
    return ambient, (*first, *second)


def _screen(rng: np.random.Generator, board_mm: tuple[float, float]) -> tuple[_Kelvin, tuple[Lamp, ...]]:
    ambient, lamps = _ceiling(rng, board_mm)
    at = _around(rng, board_mm, (600, 1600), (300, 700))
    screen = Lamp(at, _triple(rng.uniform(0.1, 0.6) * _warm(rng, 6000, 12000)), 500.0, float(np.linalg.norm(at)))
    return _triple(floats_of(ambient) * 0.5), (*lamps, screen)


_KINDS: Final = {"ceiling": _ceiling, "desk": _desk, "window": _window, "two": _two, "screen": _screen}


class Moments:
    """The light of one look after another.

    Args:
        mood: the evening's light.
        board_mm: the board's centre, in table space.
        rng: the source of randomness.
    """

    def __init__(self, mood: Mood, board_mm: tuple[float, float], rng: np.random.Generator) -> None:
        self._mood, self._board_mm, self._rng = mood, board_mm, rng
        self._lamps = list(mood.room.lamps)
        self._off: set[int] = set()

    def next(self, *, calm: bool = False) -> Room:
        """Return the room at the next look; with `calm`, no player leans in."""
        rng, mood = self._rng, self._mood
        lamps = [self._moved(lamp) for lamp in self._lamps]
        self._lamps = lamps.copy()
        if mood.flicker > 0:
            flash = np.exp(rng.normal(0, mood.flicker, 3) * 0.5 + rng.normal(0, mood.flicker))
            lamps[-1] = replace(lamps[-1], bgr=_triple(floats_of(lamps[-1].bgr) * flash))
        if rng.random() < mood.switching:
            self._off ^= {int(rng.integers(len(lamps)))}
        on = tuple(lamp for index, lamp in enumerate(lamps) if index not in self._off) or (lamps[0],)
        limbs = () if calm or rng.random() > mood.bother else self._people(on[0])
        return Room(mood.room.ambient, on, limbs)

    def _moved(self, lamp: Lamp) -> Lamp:
        if lamp.bars is None:
            return lamp
        creep = self._mood.creep_mm
        x, y = lamp.bars.shift_mm
        return replace(lamp, bars=replace(lamp.bars, shift_mm=(x + creep, y + 0.3 * creep)))

    def _people(self, lamp: Lamp) -> tuple[Limb, ...]:
        """Return a person or an arm between a lamp and a place on or beside the board."""
        rng = self._rng
        target = floats_of(self._board_mm) + rng.uniform(-120, 120, 2)
        height = float(rng.uniform(0.3, 0.75)) * lamp.at_mm[2]
        share = height / lamp.at_mm[2]
        x, y = target + share * (floats_of(lamp.at_mm[:2]) - target)
        if rng.random() < 0.35:
            side = rng.uniform(0, 2 * np.pi)
            root = (float(x + 420 * np.cos(side)), float(y + 420 * np.sin(side)), height + 120)
            return arm(root, (float(x), float(y), height))
        near = float(rng.uniform(60, 220)) * np.array([np.cos(a := rng.uniform(0, 2 * np.pi)), np.sin(a)])
        return person(float(x + near[0]), float(y + near[1]), float(rng.uniform(0, 360)), min(height, 650.0))


class Shining:
    """The lighting of a canvas: the linear light that reaches the camera from each pixel.

    Args:
        eye: the camera and the board's pose.
        mood: the evening's light, with gloss and roughness.
        rng: the source of randomness for uneven surfaces.
    """

    def __init__(self, eye: Eye, mood: Mood, rng: np.random.Generator) -> None:
        self._eye, self._mood = eye, mood
        side = CANVAS_PX // _COARSE
        axis = (np.arange(side) + 0.5) * _COARSE - 0.5
        canvas = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
        inverse = np.linalg.inv(TO_CANVAS)
        board = canvas @ inverse[:2, :2].T + inverse[:2, 2]
        self._points = floats_of(eye.board.place(board)).reshape(side, side, 2)
        bow = eye.bow_mm[0] / 95**2
        self._slopes = floats_of(board.reshape(side, side, 2) * bow) + floats_of(rng.normal(0, 0.02, 2))
        self._mottle = floats_of(1 + 0.12 * blotches(rng, (CANVAS_PX, CANVAS_PX), (90, 90)))

    def light(self, canvas: Canvas, room: Room) -> Field:
        """Return the canvas in a room's light, shape (CANVAS_PX, CANVAS_PX, 3), float32."""
        crevices = self._crevices(canvas)
        fallen = cv2.merge([crevices * np.float32(each) for each in room.ambient])
        shine = np.zeros_like(fallen) if self._mood.shine > 0 else None
        for lamp, coarse in zip(room.lamps, room.falls(self._points), strict=True):
            direct = _threefold(np.float32(1) - contact_shadow(canvas, *self._fall(lamp)))
            fallen = cv2.add(fallen, cv2.multiply(_fine(coarse), direct))
            if shine is not None:
                mirrored = lobe(self._points, lamp, self._eye.pinhole.centre_mm, self._slopes, self._mood.roughness)
                shine = cv2.add(shine, cv2.multiply(_fine(coarse * mirrored[..., None]), direct))
        seen = cv2.multiply(cv2.LUT(canvas.picture, _LINEAR), fallen)
        if shine is not None:
            gloss = floats_of(canvas.gloss) * self._mottle * np.float32(self._mood.shine / 255)
            seen = cv2.add(seen, cv2.multiply(shine, _threefold(gloss)))
        return floats_of(seen)

    def _fall(self, lamp: Lamp) -> tuple[tuple[float, float], float]:
        """Return the shift of shadows on the board, in pixels per mm of height, and the sigma of their edges."""
        here = np.array([self._eye.board.x_mm, self._eye.board.y_mm])
        away = here - np.asarray(lamp.at_mm[:2])
        slope = away / lamp.at_mm[2]
        slope *= min(1.0, 3.0 / max(float(np.linalg.norm(slope)), 1e-6))
        angle = -np.radians(self._eye.board.angle_deg)
        turned = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ slope
        soft = 0.5 + 2.5 * PX_PER_MM * lamp.size_mm / float(np.linalg.norm(lamp.at_mm))
        return (float(turned[0] * PX_PER_MM), float(turned[1] * PX_PER_MM)), min(4.0, soft)

    def _crevices(self, canvas: Canvas) -> Field:
        """Return the share of ambient light that reaches each pixel, less next to higher objects."""
        around = floats_of(cv2.blur(canvas.heights, (9, 9)))
        return floats_of(1 - np.clip((around - canvas.heights) * np.float32(0.02), 0, 0.5))


def _threefold(layer: Field) -> Field:
    return floats_of(cv2.merge((layer, layer, layer)))


def _fine(coarse: Field) -> Field:
    return floats_of(cv2.resize(coarse, (CANVAS_PX, CANVAS_PX), interpolation=cv2.INTER_LINEAR))
