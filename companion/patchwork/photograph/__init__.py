"""Reading of both quilts from one photograph, and the score, without any knowledge of the game so far."""
