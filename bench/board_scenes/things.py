"""The objects on and around a random evening's board: board, mat or table, patches, hands, tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bench.board_scenes.canvas import CANVAS_PX, CANVAS_PX_PER_CELL, OBJECT, PX_PER_MM, Canvas, Stamp
from bench.pieces.textures import cloth as table_cloth
from companion.games.patchwork.components import PATCHES
from hardware.simulated.conditions import LEATHER
from hardware.simulated.drawing import Pose, bytes_of, clipped, floats_of
from hardware.simulated.drawing.sprites import BOARD_MM, disc_sprite, pawn_sprite, shape_mask, shape_of
from hardware.simulated.prints.boards import Ground, board_picture, mat_sprite, random_ground
from hardware.simulated.prints.cloths import camouflage, colour, palette, threaded
from hardware.simulated.prints.dress import the_mat
from hardware.simulated.prints.objects import hand_sprite
from hardware.simulated.prints.patches import Printing, printed_patch

if TYPE_CHECKING:
    from hardware.simulated.drawing.sprites import Sprite


def random_printing(rng: np.random.Generator) -> Printing:
    """Return a random printing between paper tags with large buttons and plain labels with small ones."""
    return Printing(
        tags=bool(rng.random() < 0.6),
        tag_tilt_deg=float(rng.uniform(0, 7)),
        tag_shadow=float(rng.choice([0.0, 0.75, rng.uniform(0, 1)])),
        button_mm=float(rng.uniform(9, 15)),
        button_bgr=(float(rng.uniform(150, 240)), float(rng.uniform(90, 185)), float(rng.uniform(15, 110))),
        stitched=bool(rng.random() < 0.5),
        worn_rim=float(rng.uniform(-0.15, 0.4)),
    )


@dataclass(frozen=True, slots=True)
class Box:
    """One printing of the game: boards, patches and their material.

    Attributes:
        ground: the board's print.
        printing: the patches' print.
        camouflaged: the share of patches in the board's colours.
        thick_mm: the thickness of the cardboard.
        gloss: the gloss of the board and of the patches, 0..1.
    """

    ground: Ground
    printing: Printing
    camouflaged: float
    thick_mm: float
    gloss: tuple[float, float]

    @classmethod
    def random(cls, rng: np.random.Generator) -> Box:
        """Return a random printing."""
        return cls(
            random_ground(rng), random_printing(rng), float(rng.choice([0.0, 0.2, 0.6])),
            float(rng.uniform(1.5, 2.6)), (float(rng.uniform(0, 1)), float(rng.uniform(0, 1))),
        )  # fmt: skip


def empty_table(rng: np.random.Generator, box: Box, rise: tuple[float, float]) -> Canvas:
    """Return a canvas with the empty board, on a mat or on the table."""
    ground = clipped(table_cloth(rng, (CANVAS_PX, CANVAS_PX), CANVAS_PX_PER_CELL, ground=True))
    canvas = Canvas.over(ground, float(rng.choice([0.0, 0.1, 0.8])), rise)
    mat = the_mat()
    if rng.random() < 0.5:
        canvas.lay(_stamp(mat_sprite(mat, 1 + int(rng.integers(2))), 0.05), _mat_pose(rng), 0)
    picture = board_picture(box.ground, mat.board_size_mm, mat.grid_size_mm, PX_PER_MM * 1.05, rng)
    mask = np.zeros(picture.shape[:2], np.uint8)
    mask[1:-1, 1:-1] = 255
    side = floats_of(colour(rng, (20, 50), 0.25, 0.6))
    # The canvas is at the height of the board's face, so the board's foot, not its face, appears shifted.
    foot = Pose(-rise[0] * BOARD_MM / PX_PER_MM, -rise[1] * BOARD_MM / PX_PER_MM)
    canvas.lay(Stamp(picture, mask, PX_PER_MM * 1.05, BOARD_MM, box.gloss[0], _bgr(side)), foot, 0)
    for _ in range(int(rng.choice([0, 0, 1, 2, 3]))):
        _lay_stray(canvas, rng, box)
    return canvas


def _lay_stray(canvas: Canvas, rng: np.random.Generator, box: Box) -> None:
    """Draw a patch of the circle beside the board."""
    name = str(rng.choice(sorted(PATCHES)))
    along, away = rng.uniform(-120, 120), rng.uniform(122, 155) * rng.choice([-1, 1])
    x_mm, y_mm = (along, away) if rng.random() < 0.5 else (away, along)
    pose = Pose(float(x_mm), float(y_mm), float(rng.uniform(0, 360)))
    canvas.lay(patch_stamp(rng, box, name, flipped=False), pose, OBJECT)


def _mat_pose(rng: np.random.Generator) -> Pose:
    dx, dy = rng.uniform(-2, 2, 2)
    return Pose(float(dx), float(dy), float(rng.uniform(-1, 1)))


def patch_stamp(rng: np.random.Generator, box: Box, name: str, flipped: bool) -> Stamp:
    """Return a patch of this printing, or a leather patch."""
    side = _bgr(colour(rng, (20, 50), 0.25, float(rng.uniform(0.3, 0.75))))
    if name == LEATHER:
        mask = shape_mask(((0, 0),), 2.2)
        tone = colour(rng, (5, 40), float(rng.uniform(0, 0.7)), float(rng.uniform(0.1, 0.45)))
        picture = threaded(rng, np.broadcast_to(tone, (*mask.shape, 3)).copy(), 7.0)
        return Stamp(picture, mask, 2.2, box.thick_mm, box.gloss[1], side)
    hidden = rng.random() < box.camouflaged
    colours = camouflage(rng, box.ground.base) if hidden else palette(rng)
    picture, mask = printed_patch(name, shape_of(name, flipped), box.printing, 2.2, rng, colours)
    return Stamp(picture, mask, 2.2, box.thick_mm, box.gloss[1], side)


def lay_object(canvas: Canvas, rng: np.random.Generator) -> None:
    """Draw a hand, tokens, a cup, a phone, a card or a pencil, wholly or partly on the board."""
    _OBJECTS[int(rng.integers(len(_OBJECTS)))](canvas, rng)


def _somewhere(rng: np.random.Generator, reach_mm: float) -> tuple[float, float]:
    x, y = rng.uniform(-reach_mm, reach_mm, 2)
    return float(x), float(y)


def _hand(canvas: Canvas, rng: np.random.Generator) -> None:
    sprite = hand_sprite(int(rng.integers(6)), bool(rng.random() < 0.3))
    pose = Pose(*_somewhere(rng, 100), float(rng.uniform(0, 360)))
    canvas.lay(_stamp(sprite, 0.0, 12.0), pose, OBJECT, lift_mm=float(rng.uniform(2, 25)))


def _tokens(canvas: Canvas, rng: np.random.Generator) -> None:
    for _ in range(int(rng.integers(1, 5))):
        kind = str(rng.choice(["button1", "button1", "button5", "button10", "token1", "token2"]))
        canvas.lay(_stamp(disc_sprite(kind), 0.6), Pose(*_somewhere(rng, 95), float(rng.uniform(0, 360))), OBJECT)


def _pawn(canvas: Canvas, rng: np.random.Generator) -> None:
    canvas.lay(_stamp(pawn_sprite(), 0.3), Pose(*_somewhere(rng, 95)), OBJECT)


def _slab(canvas: Canvas, rng: np.random.Generator) -> None:
    """Draw a phone, a card, a slip of paper or a pencil: a rounded rectangle of one colour."""
    wide, long, thick = [(72, 148, 8.0), (62, 92, 0.8), (70, 120, 0.3), (9, 150, 8.0)][int(rng.integers(4))]
    height, width = round(long * 2), round(wide * 2)
    mask = np.zeros((height, width), np.uint8)
    cv2.rectangle(mask, (4, 4), (width - 5, height - 5), 255, 6)
    cv2.rectangle(mask, (4, 4), (width - 5, height - 5), 255, -1)
    tone, _, _ = palette(rng)
    picture = threaded(rng, np.broadcast_to(tone, (height, width, 3)).copy(), 3.0)
    stamp = Stamp(picture, mask, 2.0, thick, float(rng.uniform(0, 1)), _bgr(tone * np.float32(0.6)))
    canvas.lay(stamp, Pose(*_somewhere(rng, 120), float(rng.uniform(0, 360))), OBJECT)


def _cup(canvas: Canvas, rng: np.random.Generator) -> None:
    side = round(rng.uniform(130, 180))
    axis = (np.arange(side, dtype=np.float32) + 0.5) / side * 2 - 1
    radius = np.hypot(*np.meshgrid(axis, axis))
    tone, inside, _ = palette(rng)
    rim = 0.75 + 0.25 * np.cos((radius - 0.9) * 12)
    picture = np.where((radius < 0.8)[..., None], inside * np.float32(0.5), tone * rim[..., None])
    mask = bytes_of(((radius < 0.97) * 255).astype(np.uint8))
    stamp = Stamp(clipped(picture), mask, 2.0, float(rng.uniform(20, 45)), 0.5, _bgr(tone * np.float32(0.7)))
    canvas.lay(stamp, Pose(*_somewhere(rng, 130), float(rng.uniform(0, 360))), OBJECT)


_OBJECTS: Final = (_hand, _hand, _hand, _tokens, _tokens, _pawn, _slab, _cup)


def _stamp(sprite: Sprite, gloss: float, thick_mm: float | None = None) -> Stamp:
    thick = sprite.thick_mm if thick_mm is None else thick_mm
    return Stamp(sprite.picture, sprite.mask, sprite.px_per_mm, thick, gloss, sprite.side_bgr)


def _bgr(tone: object) -> tuple[int, int, int]:
    blue, green, red = (int(value) for value in np.clip(np.asarray(tone, np.float32), 0, 255))
    return blue, green, red
