"""Test which connections are dropped when there are too many."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from companion.web.transport.protocol import Connections


@dataclass(eq=False)
class Held:
    """A connection that a test holds."""

    address: str
    keyed: bool = False
    busy: bool = False
    dropped: bool = False

    def drop(self) -> None:
        self.dropped = True


def _admitted(connections: Connections, *held: Held) -> list[Held]:
    for each in held:
        connections.admit(each)
    return [each for each in held if each.dropped]


def test_of_one_address_the_oldest_idle_connection_gives_way() -> None:
    connections = Connections(most=10, share=3)
    stream, first, second, fresh = Held("a", busy=True), Held("a"), Held("a"), Held("a")
    assert _admitted(connections, stream, first, second, fresh) == [first]
    assert len(connections) == 3


def test_a_sign_of_life_makes_a_connection_the_last_to_give_way() -> None:
    connections = Connections(most=10, share=2)
    first, second = Held("a"), Held("a")
    _admitted(connections, first, second)
    connections.refresh(first)
    connections.admit(Held("a"))
    assert (first.dropped, second.dropped) == (False, True)


def test_the_table_s_key_needs_no_share() -> None:
    connections = Connections(most=10, share=1)
    keyed = [Held("a", keyed=True) for _ in range(4)]
    assert _admitted(connections, *keyed, Held("a")) == []
    assert len(connections) == 5


def test_the_address_with_the_most_connections_gives_way_when_all_are_taken() -> None:
    connections = Connections(most=5, share=4)
    crowd, quiet, keyed = [Held("crowd") for _ in range(3)], Held("quiet"), Held("keyed", keyed=True)
    assert _admitted(connections, keyed, quiet, *crowd, Held("new")) == [crowd[0]]


def test_a_connection_with_the_key_is_closed_last() -> None:
    connections = Connections(most=2, share=2)
    keyed, other = Held("a", keyed=True), Held("b", busy=True)
    assert _admitted(connections, keyed, other, Held("c")) == [other]


def test_a_closed_connection_takes_no_place() -> None:
    connections = Connections(most=1, share=1)
    gone = Held("a")
    connections.admit(gone)
    connections.discard(gone)
    connections.discard(gone)
    connections.refresh(gone)
    assert _admitted(connections, Held("a")) == []
    assert len(connections) == 1


@given(
    st.lists(st.builds(Held, st.sampled_from("abc"), st.booleans(), st.booleans()), max_size=60, unique_by=id),
    st.integers(1, 8),
    st.integers(1, 8),
)
def test_the_newest_connection_is_always_in_and_the_limit_holds(held: list[Held], most: int, share: int) -> None:
    connections = Connections(most, share)
    for each in held:
        each.dropped = False
        connections.admit(each)
        assert not each.dropped
        assert len(connections) <= most
    open_ones = [each for each in held if not each.dropped]
    assert len(connections) == len(open_ones)
    assert all(sum(not e.keyed for e in open_ones if e.address == a) <= share for a in "abc")
