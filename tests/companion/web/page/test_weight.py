"""Test the page's traffic: few files, compressed, and nothing again that the browser has cached."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from shutil import copytree
from typing import TYPE_CHECKING, Any, Final

import pytest

from companion.config import PageConfig
from companion.registry import pages
from companion.web.files import StaticFiles
from companion.web.page import PageServer as Companion
from companion.web.routing import STATIC
from tests.companion.web.page.served import PatchworkTable, await_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page, Response
BUNDLE: Final = Path(__file__).parents[4] / "packaging" / "page" / "bundle.sh"
BUNDLES: Final = (BUNDLE.parent / "node_modules" / ".bin" / "esbuild").exists()
"""Whether the page can be bundled here, as it is in a package; without esbuild it is tested as in a checkout."""
MOST_BYTES: Final = 166_000 if BUNDLES else 216_000
MOST_REQUESTS: Final = 20 if BUNDLES else 110
_ASKED: Final = "() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/api/me'))"
_STREAMED: Final = re.compile(r"/events|/camera\.jpg")
RELOAD_BYTES: Final = 12_000
"""The limit of a reload: the page itself, /api/me, and the snapshot."""


@pytest.fixture(scope="module", autouse=True)
def packaged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Serve the page's files as in a package."""
    folder = tmp_path_factory.mktemp("package") / "static"
    copytree(STATIC, folder)
    if BUNDLES:
        subprocess.run([BUNDLE, folder], check=True)
    files = StaticFiles(folder)
    with pytest.MonkeyPatch.context() as patched:
        for module in ("files", "routing"):
            patched.setattr(f"companion.web.{module}.files_of", lambda _: files)
        yield


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    """The address of a page before the first game."""
    with Companion(pages(), PageConfig(port=0)) as companion:
        yield companion.door.address


def weighed(page: Page, act: Callable[[], Any]) -> list[Response]:
    """Return the answers to the browser during an action, except the stream of events and the camera's pictures."""
    answers: list[Response] = []
    page.on("response", lambda answer: None if _STREAMED.search(answer.url) else answers.append(answer))
    act()
    page.wait_for_load_state("load")
    page.wait_for_selector("#turn h2")
    page.wait_for_function(_ASKED)
    return answers


def size_of(answers: list[Response]) -> int:
    """Return the bytes of these answers: headers and bodies."""
    sizes = [answer.request.sizes() for answer in answers]
    return sum(each["responseHeadersSize"] + each["responseBodySize"] for each in sizes)


@pytest.mark.parametrize("language", ["en", "fa"])
def test_the_first_load_is_light_and_a_reload_asks_for_next_to_nothing(
    visit: Callable[..., Page], served: str, language: str
) -> None:
    page = visit(alone=True)
    _is_light(weighed(page, lambda: page.goto(f"{served}?language={language}")))

    again = [answer for answer in weighed(page, page.reload) if not answer.from_service_worker]
    sent = [answer for answer in again if answer.status != 304 and "/files/" not in answer.url]

    assert size_of(sent) < RELOAD_BYTES


@pytest.fixture(scope="module")
def virtual_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PatchworkTable]:
    """A table whose players' names have letters of two alphabets and of several languages."""
    with PatchworkTable(tmp_path_factory.mktemp("table"), players=("Їжак Борис", "Żaneta Jäger")) as served:
        yield served


@pytest.mark.parametrize("language", ["ru-RU", "en-GB"])
def test_a_virtual_table_is_light_with_names_in_any_letters(
    visit: Callable[..., Page], patchwork: PatchworkTable, language: str
) -> None:
    page = visit(locale=language, alone=True)

    def sit_down() -> None:
        page.goto(patchwork.companion.door.link)
        await_table(page)

    _is_light(weighed(page, sit_down))
    assert {font for seat in (1, 2) for font in fonts(page, f"#seat-{seat}-title")} <= {"Fraunces", "Vollkorn"}


def fonts(page: Page, selector: str) -> set[str]:
    """Return the families of the fonts with which an element's text is really drawn."""
    page.evaluate("document.fonts.ready")
    session = page.context.new_cdp_session(page)
    for domain in ("DOM", "CSS"):
        session.send(f"{domain}.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    node = session.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
    drawn = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    session.detach()
    return {font["familyName"].split()[0] if font["isCustomFont"] else "the system's" for font in drawn}


def _is_light(answers: list[Response]) -> None:
    assert size_of(answers) < MOST_BYTES
    assert len(answers) <= MOST_REQUESTS
    assert len({answer.url for answer in answers}) == len(answers)
