"""Reading of request bodies: small JSON objects with known keys.

Each is defined by one type, from which the OpenAPI description is made, too.
"""

import asyncio
import json
from typing import Any, Final

import msgspec
from starlette.requests import Request

from companion.languages import said
from companion.play.page.routes import BodyT, RefusedError
from companion.web.access.access import RateLimit
from companion.web.access.guard import address_of

LONGEST_BYTES: Final = 4096
"""Enough for a circle of 33 patches and the players' names."""
# The time-out for a command's body, shorter than the server's for any body, such as a photograph.
_PATIENCE_S: Final = 5.0


async def read_command(
    commands: RateLimit, request: Request, kind: type[BodyT], longest_bytes: int = LONGEST_BYTES
) -> BodyT:
    """Return the JSON object of a command, within the rate limit of commands; see `read_object`.

    Raises:
        RefusedError: 429, if it came too fast; else as `read_object`.
    """
    if not commands.allows(address_of(request.scope)):
        raise RefusedError(429, said("Too many commands: slow down."), headers={"retry-after": "1"})
    return await read_object(request, kind, longest_bytes)


async def read_object(request: Request, kind: type[BodyT], longest_bytes: int = LONGEST_BYTES) -> BodyT:
    """Return the JSON object in a request's body.

    Args:
        request: the request.
        kind: the type of the body.
        longest_bytes: the largest size accepted.

    Raises:
        RefusedError: 415 if it is not sent as JSON, 413 if it is too long, 408 if it does not arrive in time, 400 if
            it is malformed or not of this kind; 400 names every fault.
    """
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    # Forms of other sites cannot send this type without asking the server first, which it refuses.
    if media != "application/json":
        raise RefusedError(415, "Send JSON: Content-Type: application/json.")
    return _checked(_decoded(await _read(request, longest_bytes)), kind)


def _checked(found: dict[str, Any], kind: type[BodyT]) -> BodyT:
    # Field by field, not as a whole: msgspec stops at the first fault, and the response names all.
    known = {field.name: field for field in msgspec.structs.fields(kind)}
    faults = [f"There is no key {key[:40]!r}." for key in found if key not in known]
    values: dict[str, Any] = {}
    for key, field in known.items():
        if key in found:
            try:
                # JSON can contain lone surrogates, which cannot be stored or shown.
                json.dumps(found[key], ensure_ascii=False).encode()
                values[key] = _converted(found[key], field.type, differ=key in kind.distinct)
            except (msgspec.ValidationError, UnicodeEncodeError):
                faults.append(f"The key '{key}' has a value that is not valid.")
        elif field.required:
            faults.append(f"The key '{key}' is missing.")
    if faults:
        raise RefusedError(400, *(fault.encode("utf-8", "replace").decode() for fault in faults))
    return kind(**values)


def _converted(value: object, kind: Any, *, differ: bool) -> Any:
    try:
        converted = msgspec.convert(value, kind)
    except msgspec.ValidationError:
        # JSON may write an integer with a decimal point.
        converted = msgspec.convert(_without_points(value), kind)
    if differ and converted is not None and len(set(converted)) < len(converted):
        raise msgspec.ValidationError
    return converted


def _without_points(value: object) -> object:
    if isinstance(value, list):
        return [_without_points(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


async def _read(request: Request, longest_bytes: int) -> bytes:
    declared = request.headers.get("content-length", "0")
    # Truncated: a header of thousands of digits would take long to convert.
    if declared.isdecimal() and int(declared[:12]) > longest_bytes:
        raise _too_long(longest_bytes)
    # Counted while reading, too: a body in chunks declares no length.
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
