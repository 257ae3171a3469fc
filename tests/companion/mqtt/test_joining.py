from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.mqtt.joining import HallCode, JoinError, at_port, check_certificates, fingerprint

CODE = HallCode(IPv4Address("192.168.1.5"), b"quilt")


@given(st.ip_addresses(), st.binary(min_size=5, max_size=5))
def test_a_code_is_read_as_it_was_printed(address: IPv4Address | IPv6Address, secret: bytes) -> None:
    code = HallCode(address, secret)
    assert HallCode.parse(str(code)) == code
    assert [len(group) for group in str(code).split("-")] == [4] * (4 if address.version == 4 else 9)


def test_small_letters_blanks_and_letters_that_look_like_digits_will_do() -> None:
    typed = str(CODE).lower().replace("-", " ").replace("0", "o").replace("1", "l")
    assert HallCode.parse(typed) == CODE


def test_a_slip_in_typing_is_noticed() -> None:
    text = str(CODE)
    for place, typed in enumerate(text):
        if typed == "-":
            assert HallCode.parse(text[:place] + text[place + 1 :]) == CODE
            continue
        other = "7" if typed != "7" else "8"
        for wrong in (text[:place] + other + text[place + 1 :], text[:place] + text[place + 1 :]):
            with pytest.raises(JoinError, match="is not a code"):
                HallCode.parse(wrong)


@pytest.mark.parametrize("text", ["", "hello", "R2M0-21BG-4TZX-9KQ!", "8" * 16, "Z" * 36, "8" * 36, "ключ" * 4])
def test_a_text_that_is_no_code_is_refused_in_a_line(text: str) -> None:
    with pytest.raises(JoinError, match="allowed: four or nine groups"):
        HallCode.parse(text)


@pytest.mark.parametrize(("address", "written"), [("192.168.1.5", "192.168.1.5:8090"), ("fd00::5", "[fd00::5]:8090")])
def test_an_address_stands_with_its_port_as_in_a_link(address: str, written: str) -> None:
    assert at_port(ip_address(address), 8090) == written


def test_a_fingerprint_is_the_beginning_of_what_sha256sum_tells() -> None:
    assert fingerprint("quilt\n") == "5d3e 0c88 7e63 8fa2 5801 3622 7d7a 9303"


@pytest.mark.parametrize("text", ["quilt", "сертификат", "-----BEGIN CERTIFICATE-----\n" * 2000])
def test_a_text_that_is_no_certificate_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"no certificates|more than 32768 characters"):
        check_certificates(text)
