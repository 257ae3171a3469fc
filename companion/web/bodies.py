"""Reads what a browser sends: small JSON objects with known keys, and nothing else."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from companion.languages import said
from companion.web.errors import RefusedError
from companion.web.guard import address_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from companion.web.limits import RateLimit

LONGEST_BYTES: Final = 4096
_PATIENCE_S: Final = 5.0

Check: TypeAlias = Callable[[Any], bool]


async def read_command(
    commands: RateLimit,
    request: Request,
    checks: Mapping[str, Check],
    optional: frozenset[str] = frozenset(),
    longest_bytes: int = LONGEST_BYTES,
) -> dict[str, Any]:
    """The JSON object of whoever tells the program to do something, at a pace at which people do; see `read_object`.

    Raises:
        RefusedError: 429, if that was too fast; else as `read_object`.
    """
    if not commands.allows(address_of(request.scope)):
        raise RefusedError(429, said("Too many commands: slow down."), headers={"retry-after": "1"})
    return await read_object(request, checks, optional, longest_bytes)


async def read_object(
    request: Request, checks: Mapping[str, Check], optional: frozenset[str], longest_bytes: int = LONGEST_BYTES
) -> dict[str, Any]:
    """The JSON object in a request's body.

    Args:
        request: the request.
        checks: for each key, what its value must be.
        optional: the keys that may be absent; they are None then.
        longest_bytes: a longer body is refused.

    Raises:
        RefusedError: 415, 413, 408 or 400, if it is none, or none with these keys.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise RefusedError(415, "Send JSON: Content-Type: application/json.")
    found = _decoded(await _read(request, longest_bytes))
    faults = [f"There is no key {key[:40]!r}." for key in found if key not in checks]
    for key, check in checks.items():
        if key not in found and key not in optional:
            faults.append(f"The key '{key}' is missing.")
        elif key in found and not check(found[key]):
            faults.append(f"The key '{key}' has a value that will not do.")
    if faults:
        raise RefusedError(400, *(fault.encode("utf-8", "replace").decode() for fault in faults))
    return {key: found.get(key) for key in checks}


async def _read(request: Request, longest_bytes: int) -> bytes:
    declared = request.headers.get("content-length", "0")
    if declared.isdecimal() and int(declared[:12]) > longest_bytes:
        raise _too_long(longest_bytes)
    read = bytearray()
    try:
        async with asyncio.timeout(_PATIENCE_S):
            async for chunk in request.stream():
                read += chunk
                if len(read) > longest_bytes:
                    raise _too_long(longest_bytes)
    except TimeoutError:
        raise RefusedError(408, "The request did not come to its end.") from None
    return bytes(read)


def _too_long(longest_bytes: int) -> RefusedError:
    return RefusedError(413, f"A request is at most {longest_bytes} bytes long.", headers={"connection": "close"})


def _decoded(body: bytes) -> dict[str, Any]:
    try:
        found = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        raise RefusedError(400, "That is not JSON.") from None
    if not isinstance(found, dict):
        raise RefusedError(400, "Send a JSON object.")
    return found
