"""The simulated table: twins of camera, buttons, strip and clock, over a rendered scene with two players."""
