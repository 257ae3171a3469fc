"""Step-by-step description of an owner's sheet of Kvilt from a photograph of it while it is blank."""
