"""Training scenes: random boards through random evenings, as rectified views with the true cover of each pixel.

Light, lens, sensor, boards, patches and players are random; no print, lamp or camera of a recording is copied.
"""

from bench.board_scenes.canvas import OBJECT
from bench.board_scenes.evening import BoardEvening, Look, board_evening

__all__ = ["OBJECT", "BoardEvening", "Look", "board_evening"]
