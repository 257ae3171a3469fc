from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion.kvilt.page.moves import LONGEST_NAME
from companion.registry import pages
from companion.web.access.access import Need
from companion.web.app import operations
from tests.cases import each

if TYPE_CHECKING:
    from tests.companion.web.conftest import MakeDesk

OPERATIONS = operations(pages())


@pytest.fixture
def described(desk: MakeDesk) -> dict[str, Any]:
    document: dict[str, Any] = desk().client.get("/api/openapi.json").json()
    return document


def test_everything_that_may_be_asked_is_described(described: dict[str, Any]) -> None:
    assert described["openapi"] == "3.1.0"
    shown = {(method.upper(), path) for path, methods in described["paths"].items() for method in methods}
    assert shown == {(operation.method, operation.path.replace(":number", "")) for operation in OPERATIONS}
    names = [entry["operationId"] for methods in described["paths"].values() for entry in methods.values()]
    assert len(set(names)) == len(names)
    assert all(name.isidentifier() for name in names)
    assert all(entry["summary"] for methods in described["paths"].values() for entry in methods.values())


def test_what_needs_the_key_says_so(described: dict[str, Any]) -> None:
    assert described["components"]["securitySchemes"]["key"]["name"] == "table_8080"
    for operation in OPERATIONS:
        entry = described["paths"][operation.path.replace(":number", "")][operation.method.lower()]
        assert (entry["security"] == [{"key": []}]) == (operation.need is Need.TOUCH)
        assert ("401" in entry["responses"]) == (operation.need is not Need.NOTHING)


def test_every_command_needs_the_key_and_takes_known_keys_only(described: dict[str, Any]) -> None:
    commands = [operation for operation in OPERATIONS if operation.method == "POST"]
    seen = {f"/api/circle/{what}" for what in ("place", "behind", "right", "way")}
    at_table = seen | {"/api/press", "/api/answer", "/api/override", "/api/name", "/api/insist", "/api/voice"}
    by_hand = {f"/api/virtual/{what}" for what in ("lay", "move", "turn", "lift", "token", "nudge", "conditions")}
    by_hand |= {f"/api/virtual/{what}" for what in ("colour", "rub-out", "lay-sheet", "sheet-conditions")}
    before = {f"/api/setup/{what}" for what in ("deal", "begin", "begin-kvilt", "resume")}
    before |= {f"/api/calibration/{what}" for what in ("begin", "corners", "save")}
    afterwards = {"/api/games/{game:number}/delete", "/api/players/forget"}
    assert {operation.path for operation in commands} == at_table | by_hand | before | afterwards
    for operation in commands:
        assert operation.need is Need.TOUCH
        entry = described["paths"][operation.path.replace(":number", "")]["post"]
        body = entry["requestBody"]["content"]["application/json"]["schema"]
        assert body["additionalProperties"] is False


def test_names_of_regions_are_described_as_they_are_taken(described: dict[str, Any]) -> None:
    for path, key in (("colour", "region"), ("colour", "colour"), ("rub-out", "region")):
        request = described["paths"][f"/api/virtual/{path}"]["post"]["requestBody"]
        schema = request["content"]["application/json"]["schema"]["properties"][key]
        assert (schema["minLength"], schema["maxLength"]) == (1, LONGEST_NAME)


def test_what_a_command_takes_is_described_by_what_checks_it(described: dict[str, Any]) -> None:
    def properties(path: str) -> dict[str, Any]:
        request = described["paths"][path]["post"]["requestBody"]
        found: dict[str, Any] = request["content"]["application/json"]["schema"]["properties"]
        return found

    override = properties("/api/override")
    assert (override["seat"]["minimum"], override["seat"]["maximum"]) == (1, 2)
    assert (override["cells"]["minItems"], override["cells"]["uniqueItems"]) == (1, True)
    assert override["cells"]["items"]["enum"][:2] == ["A1", "B1"]
    assert "domino" in properties("/api/name")["patch"]["enum"]
    nudge = properties("/api/virtual/nudge")
    assert (nudge["by_mm"]["minimum"], nudge["by_mm"]["type"]) == (0.0, "number")
    kind = nudge["what"]["$ref"].removeprefix("#/components/schemas/")
    assert described["components"]["schemas"][kind]["enum"]
    begin = described["paths"]["/api/setup/begin"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert set(begin["properties"]) - set(begin["required"]) == {"market", "language", "leave"}


def test_no_get_changes_anything() -> None:
    assert {operation.method for operation in OPERATIONS} == {"GET", "POST"}
    assert all(operation.body is None for operation in OPERATIONS if operation.method == "GET")


@each("operation", [op for op in OPERATIONS if "{" not in op.path], ids=lambda operation: operation.path)
def test_what_is_answered_is_described(desk: MakeDesk, described: dict[str, Any], operation: Any) -> None:
    opened = desk().with_key()
    opened.site.hub.publish("snapshot", b'{"game":null}')
    opened.site.hub.publish("bye", b"{}")
    answer = opened.client.request(operation.method, operation.path)
    entry = described["paths"][operation.path][operation.method.lower()]
    told = entry["responses"][str(answer.status_code)]
    if "content" in told:
        assert answer.headers["content-type"].partition(";")[0] in told["content"]


def test_every_seat_of_kvilt_has_its_picture(desk: MakeDesk) -> None:
    crop = desk().client.get("/api/openapi.json").json()["paths"]["/crop/{seat}.jpg"]["get"]
    assert crop["parameters"][0]["schema"]["maximum"] >= 4
