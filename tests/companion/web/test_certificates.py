"""The certificates of a table's page, and the keys that are sent over nothing else."""

from __future__ import annotations

import socket
import ssl
from datetime import UTC, datetime, timedelta
from email.message import Message
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, HTTPSHandler, Request, build_opener, urlopen

import pytest

from companion.config import PageConfig
from companion.registry import pages
from companion.web.certificates import CertificateError, TableCertificates, own_context, server_context
from companion.web.page import PageServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from http.client import HTTPMessage
    from typing import IO


class Home:
    """A machine in a home network whose clock and addresses a test changes."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.now, self.addresses = folder, datetime.now(UTC), {"192.168.1.5", "93.184.216.34"}
        self.certificates = TableCertificates(folder, lambda: self.addresses, lambda: self.now)

    def renewed(self) -> bool:
        return self.certificates.renew(server_context())

    def accepts(self, name: str) -> bool:
        """Return whether a client that trusts the authority accepts the page's certificate for a name."""
        context = server_context()
        self.certificates.renew(context)
        client = ssl.create_default_context(cadata=self.certificates.authority)
        into, out = ssl.MemoryBIO(), ssl.MemoryBIO()
        server = context.wrap_bio(out, into, server_side=True)
        one = client.wrap_bio(into, out, server_hostname=name)
        for side in (one, server, one, server):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
            except ssl.SSLCertVerificationError:
                return False
        return True


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "https")


def test_a_phone_that_trusts_the_authority_accepts_the_tables_names_and_addresses(home: Home) -> None:
    assert home.accepts("192.168.1.5")
    assert home.accepts("localhost")
    assert home.accepts(f"{socket.gethostname().partition('.')[0]}.local")
    assert not home.accepts("93.184.216.34"), "an address of the internet is none of a home's"
    assert not home.accepts("example.org")


def test_keys_are_readable_by_their_owner_only(home: Home) -> None:
    assert home.renewed()
    modes = {path.name: path.stat().st_mode & 0o777 for path in home.folder.iterdir()}
    assert modes == {"authority.crt": 0o644, "authority.key": 0o600, "certificate.crt": 0o644, "certificate.key": 0o600}


def test_a_certificate_is_renewed_before_it_expires_and_for_a_new_address_by_the_same_authority(home: Home) -> None:
    assert home.renewed()
    authority = home.certificates.authority
    assert not home.renewed()
    home.addresses = {"192.168.1.77"}
    assert home.renewed()
    assert home.accepts("192.168.1.77")
    home.now += timedelta(days=139)
    assert not home.renewed()
    home.now += timedelta(days=2)
    assert home.renewed()
    assert home.certificates.authority == authority


def test_damaged_files_are_made_again(home: Home) -> None:
    home.renewed()
    (home.folder / "certificate.crt").write_text("nonsense")
    assert home.renewed()
    (home.folder / "authority.key").unlink()
    assert home.renewed()
    assert home.accepts("192.168.1.5")


@pytest.mark.parametrize("damage", ["empty", "other"])
def test_a_damaged_key_and_one_without_its_certificate_are_made_again(home: Home, damage: str) -> None:
    home.renewed()
    key = home.folder / "certificate.key"
    # As after a power cut while both were renewed.
    key.write_bytes(b"" if damage == "empty" else (home.folder / "authority.key").read_bytes())
    authority = home.certificates.authority
    assert home.renewed()
    assert home.accepts("192.168.1.5")
    assert not home.renewed()
    assert home.certificates.authority == authority


def test_an_owners_certificate_is_used_as_it_is(home: Home, tmp_path: Path) -> None:
    home.renewed()
    own = own_context(home.folder / "certificate.crt", home.folder / "certificate.key")
    assert own.cert_store_stats()["x509"] == 0
    with pytest.raises(CertificateError, match=r"authority\.crt: is not a certificate with this key"):
        own_context(home.folder / "authority.crt", home.folder / "certificate.key")
    with pytest.raises(CertificateError, match="No such file"):
        own_context(tmp_path / "mine.pem", home.folder / "certificate.key")


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> None:
        del req, fp, code, msg, headers, newurl


def _answer(address: str, context: ssl.SSLContext | None = None, **headers: str) -> tuple[int, Message]:
    """Return the status and the headers of the answer, without following redirections."""
    opener = build_opener(_NoRedirect, *([] if context is None else [HTTPSHandler(context=context)]))
    try:
        with opener.open(Request(address, headers=headers)) as answer:  # noqa: S310
            return answer.status, answer.headers
    except HTTPError as error:
        error.close()
        return error.code, error.headers


@pytest.fixture
def served(tmp_path: Path) -> Iterator[PageServer]:
    config = PageConfig(port=0, https=True, https_port=0)
    with PageServer(pages(), config, tmp_path / "games.sqlite3") as server:
        yield server


def test_a_code_in_the_clear_leads_to_the_encrypted_page_which_alone_gives_the_key(served: PageServer) -> None:
    access = served.site().access
    secure = f"https://localhost:{access.secure_port}"
    code = access.keys.code().code
    # By another name than a loopback one, a request may come through a network.
    name = socket.gethostname()
    plain = f"http://localhost:{served.door.port}"
    status, headers = _answer(f"{plain}/join?code={code}", Host=name)
    assert (status, headers["location"]) == (303, f"https://{name.lower()}:{access.secure_port}/join?code={code}")
    assert headers["set-cookie"] is None
    status, headers = _answer(f"{plain}/?key={access.keys.key}", Host=name)
    assert headers["set-cookie"] is None

    trusting = ssl.create_default_context(cadata=served.site().authority())
    status, headers = _answer(f"{secure}/join?code={code}", trusting)
    assert status == 303
    cookie = headers["set-cookie"]
    assert "secure" in cookie.lower()
    key = cookie.partition(";")[0]
    assert _answer(f"{secure}/api/code", trusting, Cookie=key)[0] == 200
    assert _answer(f"{plain}/api/code", Cookie=key, Host=name)[0] == 401
    # On this machine nothing travels.
    assert _answer(f"{plain}/api/code", Cookie=key)[0] == 200


def test_the_certificate_is_offered_with_its_explanation(served: PageServer) -> None:
    with urlopen(f"{served.door.address}authority.crt") as answer:  # noqa: S310
        assert answer.headers["content-type"] == "application/x-x509-ca-cert"
        assert answer.read() == served.site().authority()
    with urlopen(f"{served.door.address}trust?language=ru") as answer:  # noqa: S310
        text = answer.read().decode()
    assert f"https://localhost:{served.site().access.secure_port}/" in text
    assert 'lang="ru"' in text


def test_without_https_there_is_no_such_page(tmp_path: Path) -> None:
    with PageServer(pages(), PageConfig(port=0), tmp_path / "games.sqlite3") as server:
        assert _answer(f"{server.door.address}trust")[0] == 404
        assert server.door.link.startswith("http://localhost")


def test_a_certificate_without_its_key_is_refused_by_the_configuration() -> None:
    with pytest.raises(ValueError, match="belong together"):
        PageConfig(certificate=Path("mine.pem")).check()
