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
        own: the codecs that are always available.
        unnamed: the codec for a header that names no game; None if each must name one.
        installed: returns further codecs; called only if `own` does not suffice. May raise ForeignGameError.
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
        """Return the codec with this name.

        Raises:
            ForeignGameError: if there is none.
        """
        for codec in self:
            if codec.name == name:
                return codec
        raise ForeignGameError(
            said("the game {game} is not known here; known: {names}", game=repr(name[:40]), names=all_of(self.names))
        )

    def of_header(self, header: Mapping[str, Any]) -> AnyCodec:
        """Return the codec of the game that a header names, or the one for headers that name none.

        Raises:
            ForeignGameError: if it names an unknown game.
            RecordError: if it names none although it must, or the name is not a text.
        """
        if self.unnamed is not None and "game" not in header:
            return self.unnamed
        name = header.get("game")
        if not isinstance(name, str):
            names = any_of([f'"{each}"' for each in self.names])
            raise RecordError(said("{key} must be {names}", key='"game"', names=names))
        return self.named(name)

    def of_setup(self, setup: object) -> AnyCodec:
        """Return the codec of the game that a setup belongs to.

        Raises:
            TypeError: if it is not a setup of a known game.
        """
        for codec in self:
            if isinstance(setup, codec.setup_type):
                return codec
        raise TypeError(f"{type(setup).__name__} is no setup of {', '.join(self.names)}")

    def of_decision(self, decision: object) -> AnyCodec:
        """Return the codec of the game that a decision belongs to.

        Raises:
            TypeError: if it is not a decision of a known game.
        """
        for codec in self:
            if isinstance(decision, codec.decision_type):
                return codec
        raise TypeError(f"{type(decision).__name__} is no decision of {', '.join(self.names)}")
