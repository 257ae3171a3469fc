"""Laws are tried on the same examples every time, and a busy machine breaks none."""

from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")
