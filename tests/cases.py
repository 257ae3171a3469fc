"""Tests of many small cases in one item: pytest spends some milliseconds on each item, more than such a case takes."""

from __future__ import annotations

import inspect
from functools import wraps
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    _Test = Callable[..., None]


def each(names: str | tuple[str, ...], cases: Iterable[Any], ids: Any = None) -> Callable[[_Test], _Test]:
    """Run a test with each of the cases, as `pytest.mark.parametrize` does, but as one item with one set of fixtures.

    All cases are run. Those that fail are told together, each with a note of its arguments.

    Args:
        names: of the argument, or a tuple of those of several arguments.
        cases: its values, or tuples of theirs.
        ids: a name of each case, or a function of its value, for the note; None for the arguments themselves.
    """
    arguments, listed = (names,) if isinstance(names, str) else names, list(cases)

    def decorated(test: _Test) -> _Test:
        @wraps(test)
        def through_all(**fixtures: Any) -> None:
            failed = []
            for number, case in enumerate(listed):
                values = (case,) if isinstance(names, str) else case
                try:
                    test(**dict(zip(arguments, values, strict=True)), **fixtures)
                except Exception as error:
                    error.add_note(f"case {number + 1} of {len(listed)}: {_name(ids, number, case)}")
                    failed.append(error)
            if failed:
                raise failed[0] if len(failed) == 1 else ExceptionGroup(f"{len(failed)} cases", failed)

        whole = inspect.signature(test)
        rest = [each for name, each in whole.parameters.items() if name not in arguments]
        vars(through_all)["__signature__"] = whole.replace(parameters=rest)
        return through_all

    return decorated


def _name(ids: Any, number: int, case: Any) -> str:
    if ids is None:
        return repr(case)
    return str(ids(case) if callable(ids) else list(ids)[number])
