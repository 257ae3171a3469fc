"""The error of a refused request."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.play.page.json_type import Json


class RefusedError(Exception):
    """Raised for a refused request.

    Attributes:
        status: the HTTP status.
        errors: sentences; the first one is the summary.
        more: additional keys of the response.
        headers: additional headers of the response.
    """

    def __init__(
        self,
        status: int,
        *errors: str,
        more: Json | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(errors[0])
        self.status, self.errors, self.more, self.headers = status, errors, more, headers
