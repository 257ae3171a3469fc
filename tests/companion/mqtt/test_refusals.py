from __future__ import annotations

import ssl
from pathlib import Path

import pytest

from companion.mqtt.link import Address, answer_fault, certificates_fault, connection_fault
from tests.companion.mqtt.certificates import OPENSSL, certificate, expired

SYSTEM = Address("hall.local", 8883, tls=True)


def greeted(made: Path, key: Path, ca: Path, host: str) -> ssl.SSLError:
    """Return a client's error about a broker's certificate, without a network between them."""
    # As paho-mqtt does; the stricter checks that newer Pythons enable by default do not apply to a club's certificates.
    server, client = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    server.load_cert_chain(made, key)
    client.load_verify_locations(ca)
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    asking = client.wrap_bio(back, there, server_hostname=host)
    answering = server.wrap_bio(there, back, server_side=True)
    for side in (asking, answering):
        with pytest.raises(ssl.SSLWantReadError):
            side.do_handshake()
    with pytest.raises(ssl.SSLError) as caught:
        asking.do_handshake()
    return caught.value


@pytest.mark.skipif(OPENSSL is None, reason="openssl is not installed")
def test_a_refused_certificate_says_what_is_to_be_done(tmp_path: Path) -> None:
    made, key = certificate(tmp_path)
    (tmp_path / "other").mkdir()
    other, _ = certificate(tmp_path / "other")
    old = expired(tmp_path, key)
    own = Address("hall.local", 8883, tls=True, ca=other)
    assert connection_fault(greeted(made, key, other, "localhost"), own).endswith(f"trusted in {other}")
    assert "[mqtt] ca can name your own certificates" in connection_fault(
        greeted(made, key, other, "localhost"), SYSTEM
    )
    assert "is not for hall.local; set [mqtt] broker" in connection_fault(greeted(made, key, made, "hall.local"), own)
    assert "is not for hall.local; set [mqtt] broker" in connection_fault(greeted(made, key, made, "127.0.0.2"), own)
    assert "has expired; a new one is needed" in connection_fault(greeted(old, key, old, "localhost"), own)


def test_a_clock_that_is_behind_is_asked_about() -> None:
    early = ssl.SSLCertVerificationError(1, "certificate verify failed")
    early.verify_code = 9  # X509_V_ERR_CERT_NOT_YET_VALID
    assert connection_fault(early, SYSTEM).endswith("is not valid yet; is this machine’s clock right?")


def test_certificates_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    text, gone = tmp_path / "ca.pem", tmp_path / "gone.pem"
    text.write_text("mine\n")
    assert certificates_fault(SYSTEM) is None
    assert certificates_fault(Address("hall.local", ca=text)) == f"{text}: cannot be read: no certificates (PEM)"
    assert certificates_fault(Address("hall.local", ca=gone)) == f"{gone}: cannot be read: No such file or directory"


def test_a_port_that_speaks_otherwise() -> None:
    reset = ConnectionResetError(104, "Connection reset by peer")
    plain = ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER] wrong version number")
    assert connection_fault(reset, SYSTEM).startswith("it does not use TLS there: Connection reset by peer; the usual")
    assert connection_fault(plain, SYSTEM).startswith("it does not use TLS there: ")
    assert connection_fault(reset, Address("hall.local")) == "Connection reset by peer"
    assert "does it require TLS, mqtts://hall.local?" in answer_fault("Unspecified error", Address("hall.local"))
    assert answer_fault("Unspecified error", SYSTEM) == "Unspecified error"


def test_a_client_that_may_not_enter_is_refused_with_the_reason() -> None:
    by_name = Address("hall.local", username="table-3", password="quilt")  # noqa: S106
    for answer in ("Not authorized", "Bad user name or password"):
        assert answer_fault(answer, by_name) == "it does not accept the user table-3 with this password"
