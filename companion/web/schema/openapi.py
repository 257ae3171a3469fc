"""The OpenAPI description of the page's interface, made from the table of operations."""

from __future__ import annotations

import re
from collections.abc import Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

import msgspec

from companion import __version__
from companion.play.page.routes import MOST_SEATS, Body, Json
from companion.web.access.access import Need

if TYPE_CHECKING:
    from companion.play.page.interface import GamePages
    from companion.web.site import Operation

# Error statuses of every request: another site or host name, too many requests, an internal error.
_EVERYWHERE: Final = (403, 429, 500)
_ABOUT: Final = "The table: snapshots out, commands in."
_PARAMETER: Final = re.compile(r"\{(\w+):number\}")
_REFUSAL: Final[Json] = {
    "type": "object",
    "properties": {
        "ok": {"const": False},
        "error": {"type": "string", "description": "The sentence to show."},
        "errors": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        "status": {"type": "integer"},
        "candidates": {"type": "array", "items": {"type": "string"}, "description": "Patches to choose from."},
    },
    "required": ["ok", "error", "errors", "status"],
}
_COMMAND_DONE: Final[Json] = {
    "type": "object",
    "properties": {"ok": {"const": True}, "says": {"type": "string"}},
    "required": ["ok", "says"],
}


def describe(operations: Iterable[Operation], cookie: str, games: GamePages) -> Json:
    """Return the OpenAPI document.

    Args:
        operations: all operations.
        cookie: the name of the cookie that carries the table's key.
        games: the kinds of games, whose notes are added to the description.
    """
    paths: dict[str, Json] = {}
    schemas = {"Refusal": _REFUSAL, "Done": _COMMAND_DONE}
    for operation in operations:
        path = _PARAMETER.sub(r"{\1}", operation.path)
        described = paths.setdefault(path, {})[operation.method.lower()] = _operation(operation)
        if operation.body is not None:
            body, named = _body(operation.body)
            described["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
            schemas |= named
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Quilt Companion",
            "version": __version__,
            "description": " ".join([_ABOUT, *(side.notes for side in games.values() if side.notes)]),
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"key": {"type": "apiKey", "in": "cookie", "name": cookie}},
        },
    }


def _operation(operation: Operation) -> Json:
    path = _PARAMETER.sub(r"\1", operation.path)
    described: Json = {
        "operationId": re.sub(r"\W", "_", f"{operation.name}{path}"),
        "summary": operation.says,
        "parameters": [*_in_path(operation), *_in_query(operation)],
        "responses": {"200": _granted(operation), **_refused(operation)},
        "security": [{"key": []}] if operation.need is Need.TOUCH else [{}],
    }
    return described


def _body(kind: type[Body]) -> tuple[Json, dict[str, Json]]:
    """Return the schema of a body, and the schemas of the types in it, by name."""
    _, named = msgspec.json.schema_components([kind], ref_template="#/components/schemas/{name}")
    # The body itself is put into the operation; only types inside it are shared.
    return named.pop(kind.__name__), named


def _granted(operation: Operation) -> Json:
    schema: Json = {"type": "string"}
    if operation.body is not None:
        schema = {"$ref": "#/components/schemas/Done"}
    elif operation.gives == "application/json":
        schema = {"type": "object"}
    return {"description": "Granted.", "content": {operation.gives: {"schema": schema}}}


def _refused(operation: Operation) -> Json:
    statuses = {*_EVERYWHERE, *operation.statuses}
    if operation.need is not Need.NOTHING:
        statuses.add(401)
    if _PARAMETER.search(operation.path):
        statuses.add(404)
    content: dict[str, Any] = {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
    return {
        str(status): {"description": f"{HTTPStatus(status).phrase}.", **({} if status < 400 else {"content": content})}
        for status in sorted(statuses)
    }


def _in_path(operation: Operation) -> list[Json]:
    kinds = {
        "seat": {"type": "integer", "minimum": 1, "maximum": MOST_SEATS},
        "game": {"type": "integer", "minimum": 1},
    }
    return [
        {"name": name, "in": "path", "required": True, "schema": kinds[name]}
        for name in _PARAMETER.findall(operation.path)
    ]


def _in_query(operation: Operation) -> list[Json]:
    return [{"name": name, "in": "query", "required": False, "schema": schema} for name, schema in operation.query]
