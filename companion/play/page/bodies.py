"""The types of requests' bodies: small JSON objects with known keys, and nothing else."""

from __future__ import annotations

from typing import ClassVar, TypeVar

import msgspec


class Body(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a command; each field is a key, and one with a default may be absent."""

    distinct: ClassVar[tuple[str, ...]] = ()
    """The keys of lists whose items must be distinct."""


class NothingMore(Body):
    """An empty body."""


BodyT = TypeVar("BodyT", bound=Body)
