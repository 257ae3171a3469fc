"""The places of cups, plates and papers, away from everything else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hardware.simulated.drawing.footprint import patch_footprint, rectangle
from hardware.simulated.drawing.items import Item
from hardware.simulated.drawing.pose import Pose
from hardware.simulated.drawing.sprites import TILE_MM
from hardware.simulated.prints.objects import THINGS
from hardware.simulated.scene.layout import Layout, taken

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np

_REACH_MM: Final = ((-500.0, -380.0), (500.0, 320.0))
"""Corners of the area of their middles: an ordinary camera's view, and a little more."""
_OFF_MM: Final = 8.0
_LEANS: Final = 0.3
"""Additional gap for each millimetre of height, because tall objects lean outwards in the picture."""
_TRIES: Final = 200


def clutter(
    layout: Layout, circle: Mapping[str, Pose], tile: Sequence[Pose], count: int, rng: np.random.Generator
) -> list[Item]:
    """Return `count` objects in free places; fewer if there is no room for them."""
    room = taken(layout)
    for patch, pose in circle.items():
        room.put(patch_footprint(patch, pose))
    for place in tile:
        room.put(rectangle(place, *TILE_MM))
    items: list[Item] = []
    for _ in range(_TRIES):
        if len(items) == count:
            break
        name = list(THINGS)[int(rng.integers(len(THINGS)))]
        kind, (x_mm, y_mm) = THINGS[name], rng.uniform(*_REACH_MM)
        pose = Pose(float(x_mm), float(y_mm), float(rng.uniform(0, 360)))
        outline = rectangle(pose, *kind.size_mm)
        # `Room` measures up to 60 mm.
        if room.around_mm(outline.rim_mm[None])[0] > min(55.0, _OFF_MM + _LEANS * kind.thick_mm):
            room.put(outline)
            items.append(Item("clutter", f"{name}/{int(rng.integers(1000))}", pose))
    return items
