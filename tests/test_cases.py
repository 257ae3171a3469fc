"""Test running many cases as one item."""

from __future__ import annotations

import inspect

import pytest

from tests.cases import each


@each(("number", "name"), [(1, "one"), (2, "two")])
def test_each_case_is_run_with_the_fixtures(number: int, name: str, request: pytest.FixtureRequest) -> None:
    assert "[" not in request.node.name
    assert len(name) == 3
    vars(request.session).setdefault("cases_seen", []).append(number)
    assert vars(request.session)["cases_seen"] == list(range(1, number + 1))


def test_those_that_fail_are_told_together_by_their_arguments() -> None:
    ran = []

    @each("number", range(4), ids=lambda number: f"number {number}")
    def odd_ones_fail(number: int) -> None:
        ran.append(number)
        assert number % 2 == 0

    assert not inspect.signature(odd_ones_fail).parameters
    with pytest.raises(ExceptionGroup) as caught:
        odd_ones_fail()
    assert ran == [0, 1, 2, 3]
    notes = [error.__notes__[-1] for error in caught.value.exceptions]
    assert notes == ["case 2 of 4: number 1", "case 4 of 4: number 3"]


def test_one_that_fails_alone_is_raised_as_it_is() -> None:
    @each(("first", "second"), [("a", 1), ("b", 2)])
    def the_last_fails(first: str, second: int) -> None:
        assert (first, second) != ("b", 2)

    with pytest.raises(AssertionError) as caught:
        the_last_fails()
    assert caught.value.__notes__[-1] == "case 2 of 2: ('b', 2)"
