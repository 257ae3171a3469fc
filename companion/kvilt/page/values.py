"""The types of values in a browser's requests about Kvilt."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from companion.kvilt.arrangement import SEATS
from companion.play.page.values import between

KviltSeat: TypeAlias = Annotated[int, between(1, max(SEATS))]
