"""Step-by-step calibration of a table: frames in, sentences and a calibration out; independent of terminal and page."""
