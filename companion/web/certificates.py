"""The certificates of a table's page on the home network, from an authority of the table's own.

The authority's certificate is what phones are asked to trust. It is limited to names and addresses of home networks, so
that its key, even if stolen, cannot stand in for any site on the internet.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.config import PageConfig
from companion.durable import rewrite
from companion.errors import CompanionError
from companion.languages import system_says, unwritable
from companion.ownership import as_owner_of
from companion.web.access import own_names
from companion.web.transport.server import listen, own_addresses

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec

FOLDER_NAME: Final = "https"
"""The folder in the data folder."""
AUTHORITY: Final = "authority.crt"
"""The certificate that phones are asked to trust."""
_KEY, _CERTIFICATE, _AUTHORITY_KEY = "certificate.key", "certificate.crt", "authority.key"
# Apple's limit for certificates is 825 days (support.apple.com/103769); a shorter one hurts nobody, as it is renewed.
_LASTS: Final = timedelta(days=200)
_RENEWED: Final = timedelta(days=60)
_AUTHORITY_LASTS: Final = timedelta(days=3650)
# A clock that was set back must not make a new certificate one of the future.
_SETBACK: Final = timedelta(days=2)
_HOME_NAMES: Final = ("local", "lan", "home", "home.arpa", "internal", "fritz.box", "localhost")
# RFC 1918, 3927 and 4193, link-local and loopback addresses.
_HOME_NETWORKS: Final = (
    "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8", "fc00::/7", "fe80::/10",
)  # fmt: skip


class CertificateError(CompanionError):
    """Raised if the page cannot have a certificate."""


class TableCertificates:
    """The table's certificates, made when they are needed.

    Args:
        folder: the folder in which they are kept.
        addresses: returns the addresses of this machine.
        now: returns the time of day, in UTC.
    """

    def __init__(
        self,
        folder: Path,
        addresses: Callable[[], Iterable[str]],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._folder, self._addresses, self._now = folder, addresses, now

    @property
    def authority(self) -> bytes:
        """The authority's certificate in the form that phones install (DER)."""
        from cryptography.hazmat.primitives.serialization import Encoding  # noqa: PLC0415  # Loaded for HTTPS only.

        return self._own_authority()[0].public_bytes(Encoding.DER)

    def renew(self, context: ssl.SSLContext) -> bool:
        """Load the page's certificate into a context, a new one if it is due; return whether it is new.

        A certificate is due if it expires soon, or if this machine has other names or addresses by now. Connections
        that are open keep the former one.

        Raises:
            CertificateError: it cannot be made or written.
        """
        try:
            is_new = not self._is_good()
            if is_new:
                self._make()
            context.load_cert_chain(self._folder / _CERTIFICATE, self._folder / _KEY)
        except OSError as error:
            raise CertificateError(unwritable(self._folder, error)) from error
        return is_new

    def _is_good(self) -> bool:
        from cryptography import x509  # noqa: PLC0415
        from cryptography.exceptions import InvalidSignature  # noqa: PLC0415
        from cryptography.hazmat.primitives.serialization import load_pem_private_key  # noqa: PLC0415

        with suppress(OSError, ValueError, InvalidSignature):
            held = x509.load_pem_x509_certificate((self._folder / _CERTIFICATE).read_bytes())
            names = held.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
            known = {*names.get_values_for_type(x509.DNSName), *map(str, names.get_values_for_type(x509.IPAddress))}
            held.verify_directly_issued_by(self._own_authority()[0])
            # The power may fail between writing the key and its certificate.
            key = load_pem_private_key((self._folder / _KEY).read_bytes(), None)
            has_key = key.public_key() == held.public_key()
            return has_key and self._names() <= known and held.not_valid_after_utc - self._now() > _RENEWED
        return False

    def _names(self) -> set[str]:
        """Return the names and addresses of this machine that the authority may confirm."""
        from cryptography import x509  # noqa: PLC0415

        limits = self._own_authority()[0].extensions.get_extension_for_class(x509.NameConstraints).value
        allowed = [each.value for each in limits.permitted_subtrees or () if isinstance(each, x509.DNSName)]
        names = {name for name in own_names() if any(f".{name}".endswith(f".{each}") for each in allowed)}
        homes = [ip_network(each) for each in _HOME_NETWORKS]
        own = {"127.0.0.1", *(str(ip_address(address)) for address in self._addresses())}
        return names | {each for each in own if any(ip_address(each) in home for home in homes)}

    def _make(self) -> None:
        from cryptography import x509  # noqa: PLC0415
        from cryptography.hazmat.primitives import hashes  # noqa: PLC0415
        from cryptography.x509.oid import ExtendedKeyUsageOID  # noqa: PLC0415

        authority, signing = self._own_authority()
        key = _new_key()
        names = sorted(self._names())
        alternatives = [x509.IPAddress(ip_address(each)) if _is_address(each) else x509.DNSName(each) for each in names]
        certificate = (
            self._begun(_named("Quilt Companion"), authority.subject, key.public_key(), _LASTS)
            .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signing.public_key()), critical=False)
            .sign(signing, hashes.SHA256())
        )
        self._write(_KEY, _key_pem(key), secret=True)
        self._write(_CERTIFICATE, _pem(certificate) + _pem(authority))

    def _own_authority(self) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
        """Return the authority's certificate and its key; both are made once."""
        from cryptography import x509  # noqa: PLC0415
        from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415
        from cryptography.hazmat.primitives.serialization import load_pem_private_key  # noqa: PLC0415

        with suppress(OSError, ValueError):
            key = load_pem_private_key((self._folder / _AUTHORITY_KEY).read_bytes(), None)
            held = x509.load_pem_x509_certificate((self._folder / AUTHORITY).read_bytes())
            if isinstance(key, ec.EllipticCurvePrivateKey) and held.public_key() == key.public_key():
                return held, key
        return self._new_authority()

    def _new_authority(self) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
        from cryptography import x509  # noqa: PLC0415
        from cryptography.hazmat.primitives import hashes  # noqa: PLC0415

        key, name = _new_key(), _named(f"Quilt Companion of {socket.gethostname()}")
        networks = [x509.IPAddress(ip_network(each)) for each in _HOME_NETWORKS]
        allowed = [*map(x509.DNSName, dict.fromkeys((*_HOME_NAMES, *sorted(own_names())))), *networks]
        usage = x509.KeyUsage(
            digital_signature=False, content_commitment=False, key_encipherment=False, data_encipherment=False,
            key_agreement=False, key_cert_sign=True, crl_sign=True, encipher_only=False, decipher_only=False,
        )  # fmt: skip
        certificate = (
            self._begun(name, name, key.public_key(), _AUTHORITY_LASTS)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(usage, critical=True)
            .add_extension(x509.NameConstraints(allowed, None), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .sign(key, hashes.SHA256())
        )
        self._write(_AUTHORITY_KEY, _key_pem(key), secret=True)
        self._write(AUTHORITY, _pem(certificate))
        return certificate, key

    def _begun(
        self, subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, lasts: timedelta
    ) -> x509.CertificateBuilder:
        from cryptography import x509  # noqa: PLC0415

        now = self._now()
        builder = x509.CertificateBuilder(subject_name=subject, issuer_name=issuer, public_key=key)
        return (
            builder.serial_number(x509.random_serial_number())
            .not_valid_before(now - _SETBACK)
            .not_valid_after(now + lasts)
        )

    def _write(self, name: str, content: bytes, *, secret: bool = False) -> None:
        path = self._folder / name
        with as_owner_of(self._folder):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # A former file's mode would be kept.
            path.unlink(missing_ok=True)
            rewrite(path, content, 0o600 if secret else 0o644)


def _named(name: str) -> x509.Name:
    from cryptography import x509  # noqa: PLC0415
    from cryptography.x509.oid import NameOID  # noqa: PLC0415

    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name[:64])])


def _new_key() -> ec.EllipticCurvePrivateKey:
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415

    return ec.generate_private_key(ec.SECP256R1())


def _pem(certificate: x509.Certificate) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding  # noqa: PLC0415

    return certificate.public_bytes(Encoding.PEM)


def _key_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat  # noqa: PLC0415

    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def own_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """Return the context of an owner's own certificate, with its chain, and its key.

    Raises:
        CertificateError: they cannot be used.
    """
    context = server_context()
    try:
        context.load_cert_chain(certificate, key)
    except (OSError, ValueError) as error:
        fault = error.reason if isinstance(error, ssl.SSLError) else system_says(error)
        raise CertificateError.said(
            "{path}: is not a certificate with this key: {fault}", path=str(certificate), fault=str(fault)
        ) from error
    return context


def server_context() -> ssl.SSLContext:
    """Return a context without a certificate yet."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def check_library() -> None:
    """Check that certificates can be made.

    Raises:
        CertificateError: the library for it is missing.
    """
    try:
        import cryptography  # noqa: F401, PLC0415
    except ImportError as error:
        raise CertificateError.said(
            "HTTPS needs the package {package}: install it, or name a certificate of your own with {key}",
            package="python3-cryptography",
            key="[page] certificate",
        ) from error


class SecurePage:
    """The encrypted side of a page, or that there is none.

    Args:
        config: the page's configuration.
        folder: the folder of the certificates and of the key that is sent over nothing else; None if the page is not
            encrypted.
    """

    def __init__(self, config: PageConfig, folder: Path | None) -> None:
        self._config, self.folder = config, folder
        self._context: ssl.SSLContext | None = None
        self._own = None if folder is None or config.certificate else TableCertificates(folder, self._addresses)
        self.port: int | None = None

    def listen(self) -> tuple[socket.socket, ssl.SSLContext] | None:
        """Return a listening socket and its context, or None if the page is not encrypted.

        Raises:
            CompanionError: there is no certificate, or the port cannot be listened at.
        """
        config = self._config
        if self.folder is None:
            return None
        if config.certificate is not None and config.certificate_key is not None:
            self._context = own_context(config.certificate, config.certificate_key)
        elif self._own is not None:
            check_library()
            self._context = server_context()
            self._own.renew(self._context)
        assert self._context is not None  # noqa: S101  # There is one or the other.
        listener = listen(config.host, config.https_port, lan=config.lan)
        self.port = int(listener.getsockname()[1])
        return listener, self._context

    def renew(self) -> None:
        """Renew the table's own certificate if it is due."""
        # The former one lasts for weeks; it is tried again.
        with suppress(CertificateError):
            if self._own is not None and self._context is not None:
                self._own.renew(self._context)

    def authority(self) -> bytes | None:
        """Return the certificate that phones are asked to trust (DER), or None if there is none."""
        return None if self._own is None or self._context is None else self._own.authority

    def _addresses(self) -> set[str]:
        host = self._config.host
        return own_addresses() if host is None else {*own_addresses(), host}


def secure_page(config: PageConfig, data: Path | None) -> SecurePage:
    """Return the encrypted side of a page; `data` is the data folder, or None if nothing is stored."""
    if not config.https or data is None:
        return SecurePage(config, None)
    folder = data / FOLDER_NAME
    with suppress(OSError), as_owner_of(data):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return SecurePage(config, folder)
