"""The encrypted page in a browser that trusts the table's authority, and in one that does not."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Final

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from companion.config import PageConfig
from companion.registry import pages
from companion.web.page import PageServer
from tests.companion.web.page.browsing import ARGUMENTS, BROWSER, await_true

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page


@pytest.fixture
def server(tmp_path: Path) -> Iterator[PageServer]:
    config = PageConfig(port=0, https=True, https_port=0)
    with PageServer(pages(), config, tmp_path / "games.sqlite3") as opened:
        yield opened


def _pin(server: PageServer) -> str:
    """Return the fingerprint by which Chromium is told to trust an authority."""
    key = x509.load_der_x509_certificate(server.site().authority() or b"").public_key()
    return base64.b64encode(
        hashlib.sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).digest()
    ).decode()


@pytest.fixture
def trusting(browser: Browser, server: PageServer, tmp_path: Path) -> Iterator[Page]:
    """A page of a browser that trusts the table's authority."""
    context = browser.browser_type.launch_persistent_context(
        tmp_path / "profile",
        executable_path=BROWSER,
        args=[*ARGUMENTS, f"--ignore-certificate-errors-spki-list={_pin(server)}"],
    )
    yield context.pages[0]
    context.close()


def _join(page: Page, server: PageServer) -> None:
    access = server.site().access
    page.goto(f"https://localhost:{access.secure_port}/join?code={access.keys.code().code}")
    page.locator("#turn h2").wait_for()


PICTURES_ARE_SHOWN: Final = """async () => {
  const all = [...document.querySelectorAll("main img")];
  for (const each of all) each.scrollIntoView();
  return all.length > 0 && all.every((each) => each.complete && each.naturalWidth > 0);
}"""
"""Returns whether all pictures are loaded, each of which is asked for once it comes into view."""


def test_a_trusted_page_has_the_key_the_camera_and_the_page_for_when_the_table_is_away(
    trusting: Page, server: PageServer
) -> None:
    _join(trusting, server)
    assert trusting.evaluate("isSecureContext && 'mediaDevices' in navigator && 'wakeLock' in navigator")
    await_true(trusting, "async () => Boolean((await navigator.serviceWorker.ready).active)")
    (cookie,) = trusting.context.cookies()
    assert (cookie["secure"], cookie["httpOnly"], cookie["sameSite"]) == (True, True, "Strict")
    assert trusting.evaluate("async () => (await (await fetch('/api/me')).json()).can_touch")
    trusting.get_by_role("button", name="More").click()
    trusting.get_by_role("link", name="Trust this table").click()
    trusting.get_by_role("heading", name="How a phone trusts this table").wait_for()
    await_true(trusting, PICTURES_ARE_SHOWN)


def test_with_the_browsers_warning_alone_the_page_works_without_its_worker(
    browser: Browser, server: PageServer
) -> None:
    page = browser.new_context(ignore_https_errors=True).new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    _join(page, server)
    assert page.evaluate("isSecureContext && 'mediaDevices' in navigator")
    assert faults == []
