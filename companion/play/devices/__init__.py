"""The devices of a table as the turn loop uses them: which presses count, when a picture is due, outages."""
