"""The games of an installation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.languages import all_of, any_of, said
from companion.record.errors import ForeignGameError, RecordError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from companion.record.codec import AnyCodec


@dataclass(frozen=True, slots=True)
class Games:
    """The codecs of all known games.

    Attributes:
        own: the codecs that are always there.
        unnamed: the codec of a header that names no game; None if each must name one.
        installed: finds further codecs; called only where `own` does not have the answer. May raise ForeignGameError.
    """

    own: tuple[AnyCodec, ...]
    unnamed: AnyCodec | None = None
    installed: Callable[[], Iterable[AnyCodec]] = tuple

    def __iter__(self) -> Iterator[AnyCodec]:
        yield from self.own
        yield from self.installed()

    @property
    def names(self) -> tuple[str, ...]:
        """The games' names in headers."""
        return tuple(codec.name for codec in self)

    def named(self, name: str) -> AnyCodec:
        """Return the codec of that name.

        Raises:
            ForeignGameError: if there is none.
        """
        for codec in self:
            if codec.name == name:
                return codec
        raise ForeignGameError(
            said("the game {game} is not known here; known are {names}", game=repr(name[:40]), names=all_of(self.names))
        )

    def of_header(self, header: Mapping[str, Any]) -> AnyCodec:
        """Return the codec of the game that a header names, or that of headers that name none.

        Raises:
            ForeignGameError: if it names a game that is not known.
            RecordError: if it names none and must, or what it has is no name.
        """
        if self.unnamed is not None and "game" not in header:
            return self.unnamed
        name = header.get("game")
        if not isinstance(name, str):
            names = any_of([f'"{each}"' for each in self.names])
            raise RecordError(said("{key} must be {names}", key='"game"', names=names))
        return self.named(name)

    def of_setup(self, setup: object) -> AnyCodec:
        """Return the codec of the game that begins like this.

        Raises:
            TypeError: if this is no game's setup.
        """
        for codec in self:
            if isinstance(setup, codec.setup_type):
                return codec
        raise TypeError(f"{type(setup).__name__} is no setup of {', '.join(self.names)}")

    def of_decision(self, decision: object) -> AnyCodec:
        """Return the codec of the game in which this is decided.

        Raises:
            TypeError: if this is no game's decision.
        """
        for codec in self:
            if isinstance(decision, codec.decision_type):
                return codec
        raise TypeError(f"{type(decision).__name__} is no decision of {', '.join(self.names)}")
