"""Sentences on why a broker cannot be used, with what to do."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING, Final

from companion.languages import Sentence, said, system_says

if TYPE_CHECKING:
    from companion.mqtt.address import Address

_NOT_YET_VALID: Final = 9
_EXPIRED: Final = 10
_OTHER_NAME: Final = frozenset({62, 64})
_UNTRUSTED: Final = frozenset({2, 7, 18, 19, 20, 21})
"""OpenSSL's verification errors (x509_vfy.h): host name or address mismatch; unknown issuer, or an invalid signature.
"""
_REFUSED: Final = frozenset({"Bad user name or password", "Not authorized"})
"""MQTT 3.1.1's two answers to unauthorized clients; Mosquitto gives the second for a wrong password, too."""
_CUT: Final = "Unspecified error"
"""paho's reason for a connection that ends before the broker has answered."""
SECTION: Final = "[mqtt]"


def certificates_fault(address: Address) -> str | None:
    """Return why the configured certificates cannot be read, or None if they can."""
    if address.ca is None:
        return None
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(address.ca)
    except ssl.SSLError:
        fault = str(said("no certificates (PEM)"))
    except OSError as error:
        fault = system_says(error)
    else:
        return None
    return said("{path}: cannot be read: {fault}", path=str(address.ca), fault=fault)


def connection_fault(error: OSError | ValueError, address: Address) -> str:
    """Return a sentence on why connecting failed."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return _certificate_fault(error, address)
    if isinstance(error, ssl.SSLError | ConnectionResetError) and address.tls:
        fault = getattr(error, "reason", None) or system_says(error)
        return said("it does not use TLS there: {fault}; the usual port is {port}", fault=fault, port="8883")
    # A time-out has no number, and its text is in the error itself.
    return system_says(error) if isinstance(error, OSError) and error.errno is not None else str(error)


def answer_fault(answer: str, address: Address) -> str:
    """Return a sentence on why the broker refused the client."""
    if answer in _REFUSED:
        user = address.username or "-"
        return said("it does not accept the user {user} with this password", user=user)
    if answer == _CUT and not address.tls:
        return said(
            "it closes the connection at once; does it require TLS, {example}?", example=f"mqtts://{address.host}"
        )
    return answer


def _certificate_fault(error: ssl.SSLCertVerificationError, address: Address) -> Sentence:
    code = error.verify_code
    if code == _EXPIRED:
        return said("its certificate has expired; a new one is needed, if this machine’s clock is right")
    if code == _NOT_YET_VALID:
        return said("its certificate is not valid yet; is this machine’s clock right?")
    if code in _OTHER_NAME:
        return said(
            "its certificate is not for {host}; set {section} {key} to the name in the certificate",
            host=address.host,
            section=SECTION,
            key="broker",
        )
    if code in _UNTRUSTED and address.ca is not None:
        return said("its certificate does not come from any of those trusted in {path}", path=str(address.ca))
    if code in _UNTRUSTED:
        return said(
            "its certificate does not come from anyone that this system trusts; {section} {key} can name your own "
            "certificates",
            section=SECTION,
            key="ca",
        )
    return said("its certificate is refused: {fault}", fault=error.verify_message)
