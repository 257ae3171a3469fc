"""Test what is said of RTSP servers, whose answers are written as RFC 2326 and real servers write them."""

from __future__ import annotations

import re
import socket
import threading
from contextlib import contextmanager
from hashlib import md5
from typing import TYPE_CHECKING

import pytest

from hardware.ports import CameraError
from hardware.streams import StreamUrl, authorization, reach, trouble_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DIGEST = 'Digest realm="Login to camera", nonce="5f1e0a", algorithm=MD5'


@contextmanager
def server(answer: Callable[[str], str]) -> Iterator[str]:
    """A server that answers each request as `answer` says; yields its place."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                with connection:
                    asked = connection.recv(4000).decode()
                    connection.sendall(answer(asked).encode())

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"127.0.0.1:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)
        thread.join(5)


def reply(status: str, *headers: str) -> str:
    return "\r\n".join([f"RTSP/1.0 {status}", "CSeq: 1", *headers, "", ""])


def said_of(answer: Callable[[str], str], url: str = "rtsp://{place}/table") -> str:
    with server(answer) as place:
        return str(trouble_of(StreamUrl(url.format(place=place))) or "")


def md5_of(text: str) -> str:
    return md5(text.encode(), usedforsecurity=False).hexdigest()


def digest_server(asked: str) -> str:
    """Answer as a camera that wants user anna with password ge:heim."""
    found = re.search(r"Authorization: Digest (.*)", asked)
    if found is None:
        return reply("401 Unauthorized", f"WWW-Authenticate: {DIGEST}")
    fields = dict(re.findall(r'(\w+)="([^"]*)"', found[1]))
    secret = md5_of("anna:Login to camera:ge:heim")
    wanted = md5_of(f"{secret}:5f1e0a:{md5_of('DESCRIBE:' + fields['uri'])}")
    is_right = fields["response"] == wanted and fields["username"] == "anna" and "@" not in fields["uri"]
    return reply("200 OK", "Content-Type: application/sdp") if is_right else reply("401 Unauthorized")


def test_a_password_is_answered_to_a_challenge_and_only_a_refused_one_is_said() -> None:
    assert said_of(digest_server, "rtsp://anna:ge%3Aheim@{place}/table?channel=1") == ""
    assert said_of(digest_server, "rtsp://anna:no@{place}/table").startswith(
        "the camera at 127.0.0.1 refuses the user name or the password"
    )
    assert said_of(digest_server).startswith("the camera at 127.0.0.1 asks for a user name and a password")


def test_the_example_of_rfc_2617_is_computed_as_it_is_printed_there() -> None:
    challenge = 'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"'
    url = StreamUrl("http://Mufasa:Circle%20Of%20Life@www.nowhere.org/dir/index.html")
    # That of RFC 2069, whose computation is the same without `qop`.
    assert 'response="670fd8c2df070c60b045671b8b24ff02"' in authorization(challenge, url)


@pytest.mark.parametrize(
    ("status", "says"),
    [
        ("404 Stream Not Found", "has no such stream; check the path in [camera] url"),
        ("403 Forbidden", "asks for a user name and a password"),
        ("503 Service Unavailable", "answers “503 Service Unavailable”; check [camera] url"),
        ("454", "answers “454 ”; check [camera] url"),
    ],
)
def test_a_refusal_is_said_in_words(status: str, says: str) -> None:
    assert said_of(lambda _: reply(status)).startswith(f"the camera at 127.0.0.1 {says}")


@pytest.mark.parametrize("answer", ["SSH-2.0-OpenSSH_9.2\r\n", "", "\r\n\r\n", "RTSP/1.0 many\r\n"])
def test_a_server_that_speaks_something_else_is_said(answer: str) -> None:
    assert said_of(lambda _: answer).startswith("the camera at 127.0.0.1 does not answer: it speaks another protocol;")


def test_an_unknown_host_cannot_be_reached() -> None:
    with pytest.raises(CameraError, match=r"the camera at no.such.host.invalid cannot be reached: "):
        reach(StreamUrl("rtsp://no.such.host.invalid/"))


def test_an_address_is_shown_without_its_user_password_and_path() -> None:
    url = StreamUrl("rtsp://anna:geheim@[fe80::1]:8554/user=anna&password=geheim")
    assert repr(url) == "StreamUrl(rtsp://fe80::1/…)"
    assert (url.host, url.port, url.user, url.password) == ("fe80::1", 8554, "anna", "geheim")
    assert url.target == "rtsp://[fe80::1]:8554/user=anna&password=geheim"
    assert str(url.with_password("a@b/c")) == "rtsp://anna:a%40b%2Fc@[fe80::1]:8554/user=anna&password=geheim"
