"""The devices of a table as the turn loop uses them: whose buttons count, when a picture is due, what goes away."""
