from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from calibration.printing import LARGE_PAPERS, PAPERS
from companion.web.documents import DOCUMENTS, PAPER_NAMES, SHEETS, picture, rendered, slug
from companion.web.help import HELP_ROUTES


@pytest.fixture
def client() -> TestClient:
    return TestClient(Starlette(routes=list(HELP_ROUTES)))


def test_the_list_has_every_document_in_the_readers_language(client: TestClient) -> None:
    listed = client.get("/help", headers={"accept-language": "ru"})
    assert '<html lang="ru" dir="ltr">' in listed.text
    assert re.findall(r'href="/help/([\w-]+)"', listed.text) == [each.name for each in DOCUMENTS]
    assert re.findall(r'href="/help/print/([\w/-]+)\.pdf"', listed.text) == [
        f"{sheet.name}/{paper}" for sheet in SHEETS for paper in sheet.papers
    ]
    assert "<h1>Справка</h1>" in listed.text


def test_the_language_and_the_theme_go_along_with_every_link(client: TestClient) -> None:
    shown = client.get("/help/build?language=fa&theme=dark")
    assert '<html lang="fa" dir="rtl" data-theme="dark">' in shown.text
    assert 'href="/help/printing?language=fa&amp;theme=dark"' in shown.text
    assert 'href="/help/build?language=en&amp;theme=dark"' in shown.text
    assert 'href="/?language=fa&amp;theme=dark"' in shown.text
    assert 'data-theme="' not in client.get("/help?theme=%22%3E%3Cscript%3E").text
    assert "<script" not in client.get("/help?theme=%22%3E%3Cscript%3E&language=%3Cscript%3E").text


def test_a_page_is_made_once_for_each_language_and_theme_whatever_else_is_asked(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = {path: client.get(f"{path}?theme=dark&language=ru") for path in ("/help", "/help/upkeep")}
    monkeypatch.setattr("companion.web.help.framed", None)
    for path, answer in first.items():
        again = client.get(f"{path}?theme=dark&language=ru-RU&more={'x' * 1000}")
        assert again.content == answer.content
        assert again.headers["content-encoding"] == "gzip"
        tag = {"if-none-match": answer.headers["etag"]}
        assert client.get(f"{path}?theme=dark&language=ru", headers=tag).status_code == 304


def test_the_page_has_it_for_everybody_who_may_reach_the_page(desk: Callable[..., Any]) -> None:
    stranger = desk(lan=True, spectators=False, client=("192.168.1.9", 50000)).client
    shown = stranger.get("/help/build?language=ru")
    assert shown.status_code == 200
    assert "default-src 'none'" in shown.headers["content-security-policy"]
    assert stranger.get("/api/snapshot").status_code == 401


def test_a_missing_document_is_refused_in_a_sentence(client: TestClient) -> None:
    beside = "/help/pictures/..%2fbuild.md"
    long = [f"/help/pictures/{name}.svg" for name in ("x" * 300, "x/" * 3000, "%00")]
    for path in ("/help/reading", "/help/none", "/help/..%2fREADME", "/help/pictures/none.svg", beside, *long):
        assert client.get(path).status_code == 404


def test_pictures_are_served_and_nothing_beside_them(client: TestClient) -> None:
    answer = client.get("/help/pictures/wiring.svg")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    # Opened by itself it has its own colours, which are in the file, and nothing else.
    assert answer.headers["content-security-policy"].startswith("default-src 'none'; style-src 'unsafe-inline'")
    for name in ("../build.md", "/etc/passwd", "lights/../wiring.svg", "", "lights", "wiring.svg/"):
        assert picture(name) is None


def test_a_sheet_is_written_in_the_reader_s_language_by_a_process_of_its_own(client: TestClient) -> None:
    answer = client.get("/help/print/labels/letter.pdf?language=ru")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")
    assert answer.headers["content-disposition"] == 'attachment; filename="labels-letter.pdf"'
    assert answer.content.startswith(b"%PDF-")


@pytest.mark.parametrize("sheet", ["mats/a5", "mats/a4.pdf%00", "play/a4", "--output/a4", "kvilt-sheet/a3"])
def test_no_other_sheet_is_printed(client: TestClient, sheet: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("subprocess.Popen", lambda *_, **__: pytest.fail("something was run"))
    assert client.get(f"/help/print/{sheet}.pdf").status_code == 404


def test_a_sheet_that_cannot_be_written_is_said_so(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    answer = client.get("/help/print/mats/letter.pdf")
    assert (answer.status_code, answer.json()["errors"]) == (500, ["The sheet mats could not be written."])


def test_each_sheet_is_one_that_the_command_prints_on_these_papers() -> None:
    others = {"mats": LARGE_PAPERS, "game": LARGE_PAPERS, "kvilt-sheet": PAPER_NAMES, "kvilt-swatches": PAPER_NAMES}
    for sheet in SHEETS:
        assert set(sheet.papers) <= set(others.get(sheet.name, PAPERS)), sheet.name


def test_markdown_becomes_html_without_any_of_its_own() -> None:
    line = "<script>x</script> [b.md](b.md) [out](http://x.invalid/) `x` ![p](pictures/p.svg)"
    text = f"# A\n\n## B c-D!\n\n{line}\n\n| a | c |\n|---|---|\n| 62 cm | دو |\n"
    found = rendered(text, lambda file: ("b", "Bee") if file == "b.md" else None)
    assert (found.title, found.parts) == ("A", (("b-c-d", "B c-D!"),))
    assert "&lt;script&gt;" in found.body
    assert '<a href="/help/b">Bee</a> out <code dir="ltr"' in found.body
    assert '<img src="/help/pictures/p.svg" alt="p" loading="lazy" />' in found.body
    assert '<div class="doc-table" tabindex="0"><table>' in found.body
    assert '<td dir="ltr">62 cm</td>' in found.body
    assert "<td>دو</td>" in found.body


def test_a_drawing_opens_by_itself_in_full_size_and_a_picture_in_a_line_does_not() -> None:
    found = rendered("![a stand](pictures/a.svg)\n\nso ![a lamp](pictures/b.svg)\n", lambda _: None)
    assert '<a href="/help/pictures/a.svg" target="_blank"><img src="/help/pictures/a.svg" alt="a stand"' in found.body
    assert 'href="/help/pictures/b.svg"' not in found.body


def test_wide_tables_are_reached_by_keyboard_and_no_heading_is_empty() -> None:
    found = rendered("    ls\n\n| | b |\n|---|---|\n| c | d |\n", lambda _: None)
    assert '<pre tabindex="0" dir="ltr"' in found.body
    assert "<td></td>\n<th>b</th>" in found.body


def test_apostrophes_are_typographic_except_in_code() -> None:
    found = rendered("# Anna's quilt\n\nThe players' *table's* `it's`.\n\n    printf 'a'\n", lambda _: None)
    assert found.title == "Anna’s quilt"
    assert 'id="annas-quilt">Anna’s quilt' in found.body
    assert 'The players’ <em>table’s</em> <code dir="ltr" translate="no">it\'s</code>.' in found.body
    assert "printf 'a'" in found.body


def test_headings_are_named_as_code_hosts_name_them() -> None:
    assert slug("When it's `x`, wrong!") == "when-its-x-wrong"
    assert slug("Если что-то не так") == "если-что-то-не-так"
    assert slug("وقتی می‌پرسد") == "وقتی-میپرسد"
