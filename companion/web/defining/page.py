"""The page on which the owner of a boxed Kvilt describes the sheet."""

from starlette.types import ASGIApp

from companion.config import PageConfig
from companion.kvilt.defining import DefiningDesk
from companion.web.defining.routes import ROUTES
from companion.web.defining.serving import DescribingPage
from companion.web.defining.site import DescribingSite, build_describing_app


def build_defining_app(site: DescribingSite[DefiningDesk]) -> ASGIApp:
    """Return the application."""
    return build_describing_app(site, "defining.html", ROUTES)


class DefiningPage(DescribingPage):
    """The page, served between `with` and its end.

    Args:
        config: the address and port that it listens at.
        desk: the state of the description.

    Raises:
        PageError: on entering, if it cannot be served.
    """

    def __init__(self, config: PageConfig, desk: DefiningDesk) -> None:
        super().__init__(config, lambda access: build_defining_app(DescribingSite(access, desk)))
