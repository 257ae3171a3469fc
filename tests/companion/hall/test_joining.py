"""Test joining a hall by a code: issued at the hall's terminal, redeemed over its page, accepted by its broker."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
from starlette.testclient import TestClient

from companion.__main__ import main
from companion.cli.join import write_place
from companion.config import HallConfig
from companion.configuration import load_config
from companion.hall.hall import HallPage, build_hall_app
from companion.hall.invitations import LASTS_S, Invitations
from companion.hall.live import Live
from companion.hall.site import HallSite, stored_roles
from companion.mqtt.joining import BrokerPlace, HallCode, JoinError, fingerprint
from companion.mqtt.link import Address, Hello, LinkError, PahoLink
from companion.web.access import RateLimit
from tests.companion.mqtt.certificates import OPENSSL, certificate
from tests.mosquitto import MISSING, PROGRAM, Mosquitto

if TYPE_CHECKING:
    from companion.hall.database import Database

PLACE = BrokerPlace("mqtt://192.168.1.5:1883", "club", "table-3", "Table 3", "secret")
NOW_S = 1_700_000_000.0
with_mosquitto = pytest.mark.skipif(PROGRAM is None, reason=MISSING)


@pytest.fixture
def invitations(tmp_path: Path) -> Invitations:
    return Invitations(tmp_path / "hall" / "invitations")


@pytest.fixture
def page(database: Database, tmp_path: Path, invitations: Invitations) -> Iterator[HallPage]:
    config = HallConfig(port=0)
    served = HallPage(
        config, lambda cookie: stored_roles(tmp_path, cookie), database, Live(), lambda: None, invitations
    )
    with served:
        yield served


def hall_config(tmp_path: Path, more: str = "lan = true") -> Path:
    path = tmp_path / "hall.toml"
    path.write_text(f'[mqtt]\nbroker = "mqtt://localhost"\nprefix = "club"\n[hall]\n{more}\n')
    return path


def test_an_invitation_is_for_one_table_once(invitations: Invitations, tmp_path: Path) -> None:
    secret = invitations.add(PLACE, NOW_S)
    kept = list((tmp_path / "hall" / "invitations").iterdir())
    assert [path.stat().st_mode & 0o777 for path in kept] == [0o600]
    assert secret.hex() not in str(kept)
    assert invitations.take(b"wrong", NOW_S) is None
    assert invitations.take(secret, NOW_S + 60) == PLACE
    assert invitations.take(secret, NOW_S + 60) is None


def test_an_invitation_is_too_old_after_a_day_and_replaced_by_a_newer_one(invitations: Invitations) -> None:
    first = invitations.add(PLACE, NOW_S)
    second = invitations.add(PLACE, NOW_S)
    assert invitations.take(first, NOW_S) is None
    assert invitations.take(second, NOW_S + LASTS_S + 1) is None


def test_an_invitation_that_cannot_be_read_gives_nothing(invitations: Invitations, tmp_path: Path) -> None:
    secret = invitations.add(PLACE, NOW_S)
    (path,) = (tmp_path / "hall" / "invitations").iterdir()
    path.write_text('{"until_s": "never"}')
    assert invitations.take(secret, NOW_S) is None


def test_guesses_are_slowed_down(database: Database, tmp_path: Path, invitations: Invitations) -> None:
    site = HallSite(stored_roles(tmp_path, "c"), database, Live(), invitations=invitations, joins=RateLimit(3, 1e-9))
    with TestClient(build_hall_app(site), "http://localhost") as client:
        answers = [client.post("/api/join", json={"code": "R2M0-21BG-4TZX-9KQD"}).status_code for _ in range(4)]
    assert answers == [404, 404, 404, 429]


@with_mosquitto
def test_a_table_joins_by_the_code_that_the_hall_prints(
    page: HallPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("companion.cli.hall.reached_at", lambda _: "192.168.1.5")
    passwords = tmp_path / "passwords"
    passwords.write_text("hall:$7$101$p4N6lDLl3mAN8tiy$kept\n")
    passwords.chmod(0o640)
    data = ["--config", str(hall_config(tmp_path)), "--data", str(tmp_path)]
    assert main(["hall", "invite", *data, "table-3", "table-4", "--passwords", str(passwords)]) == 0
    lines = capsys.readouterr().out.splitlines()
    table, _, command = lines[0].partition(": ")
    assert (table, command[:-19]) == ("table-3", "sudo companion join ")
    code = command[-19:]
    assert HallCode.parse(code).address.exploded == "192.168.1.5"
    users = [line.partition(":")[0] for line in passwords.read_text().splitlines()]
    assert (users, passwords.stat().st_mode & 0o777) == (["hall", "table-3", "table-4"], 0o640)

    config = tmp_path / "table.toml"
    config.write_text('# mine\n[mqtt]\nbroker = "mqtt://old"  # of the club before\nbuttons = true\n')
    # Its files are named by absolute paths, so that the program can be started from any folder.
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("companion.cli.join.broker_fault", lambda mqtt: f"{mqtt.username} may not enter; wait")
    join = ["join", "--config", "table.toml", "--hall", f"127.0.0.1:{page.port}", code]
    assert main(join) == 0
    assert "The connection was tested: table-3 may not enter; wait." in capsys.readouterr().out
    mqtt = load_config(config).mqtt
    assert (str(mqtt.broker), mqtt.prefix, mqtt.table, mqtt.name, mqtt.username, mqtt.buttons) == (
        "mqtt://192.168.1.5:1883", "club", "table-3", "Table 3", "table-3", True,
    )  # fmt: skip
    assert config.read_text().startswith("# mine\n")
    assert mqtt.password_file == tmp_path / "mqtt.password"
    assert mqtt.password_file.stat().st_mode & 0o777 == 0o600
    password = mqtt.password_file.read_text().strip()

    assert main(join) == 2
    assert "does not accept this code: it was used already" in capsys.readouterr().err
    passwords.write_text("".join(f"{line}\n" for line in passwords.read_text().splitlines() if "kept" not in line))
    with Mosquitto(tmp_path / "broker", "allow_anonymous false", f"password_file {passwords}") as broker:
        hello = Hello("t", "t/will", b"offline")
        PahoLink(
            Address("127.0.0.1", broker.port, username="table-3", password=password), hello, lambda _: None
        ).close()
        with pytest.raises(LinkError, match="it does not accept the user table-4"):
            PahoLink(Address("127.0.0.1", broker.port, username="table-4", password=password), hello, lambda _: None)


@with_mosquitto
@pytest.mark.skipif(OPENSSL is None, reason="openssl is not installed")
def test_a_table_joins_over_ipv6_and_trusts_the_hall_s_own_certificates_from_then_on(
    database: Database,
    tmp_path: Path,
    invitations: Invitations,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    made, _ = certificate(tmp_path)
    (tmp_path / "passwords").touch()
    hall = tmp_path / "hall.toml"
    hall.write_text(f'[mqtt]\nbroker = "mqtts://hall.local"\nca = "{made}"\n[hall]\nlan = true\nhost = "::"\n')
    monkeypatch.setattr("companion.cli.hall.reached_at", {"::": "fd00::5"}.get)
    options = ["--config", str(hall), "--data", str(tmp_path), "--passwords", str(tmp_path / "passwords")]
    assert main(["hall", "invite", *options, "table-3"]) == 0
    printed = capsys.readouterr().out
    code = printed.split()[4]
    assert HallCode.parse(code).address == IPv6Address("fd00::5")

    config = tmp_path / "table.toml"
    served = HallPage(
        HallConfig(port=0, host="::1"), lambda cookie: stored_roles(tmp_path, cookie), database, Live(), lambda: None,
        invitations,
    )  # fmt: skip
    with served:
        monkeypatch.setattr("companion.cli.join.broker_fault", lambda _: None)
        assert main(["join", "--config", str(config), "--hall", f"[::1]:{served.port}", code]) == 0
    mqtt = load_config(config).mqtt
    assert (str(mqtt.broker), mqtt.ca) == ("mqtts://hall.local:8883", tmp_path / "mqtt-ca.pem")
    assert mqtt.ca is not None
    assert mqtt.ca.read_text() == made.read_text()
    digest = fingerprint(made.read_text())
    assert digest in printed
    said = capsys.readouterr().out
    assert digest in said
    assert said.endswith("The broker accepts the connection.\n")

    write_place(config, PLACE, for_service=False)
    assert load_config(config).mqtt.ca is None, "the next club's broker is another one"


@pytest.mark.parametrize(
    ("more", "table", "says"),
    [
        ("", "table-3", "[hall] lan = true: is missing; tables cannot join the hall without"),
        ("lan = true", "Table 3!", "Table 3!: "),
        ("lan = true", "table-3", "no-passwords: cannot be written: No such file or directory"),
    ],
)
def test_an_impossible_invitation_is_refused_in_a_line(
    more: str,
    table: str,
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("companion.cli.hall.reached_at", lambda _: "192.168.1.5")
    data = ["--config", str(hall_config(tmp_path, more)), "--data", str(tmp_path)]
    assert main(["hall", "invite", *data, table, "--passwords", str(tmp_path / "no-passwords")]) == 2
    err = capsys.readouterr().err
    assert says in err
    assert len(err.splitlines()) == 1
    assert not (tmp_path / "hall" / "invitations").exists()


@pytest.mark.parametrize(
    ("broker", "ca", "says"),
    [
        ("mqtts://localhost", None, "[mqtt] broker: must be the name in the broker’s certificate"),
        ("mqtts://hall.local", "quilt", "ca.pem: cannot be read: no certificates (PEM)"),
        ("mqtts://hall.local", "", "ca.pem: cannot be read: no certificates (PEM)"),
    ],
)
def test_certificates_by_which_no_table_would_find_its_broker_are_refused_before_anything_is_made(
    broker: str,
    ca: str | None,
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("companion.cli.hall.reached_at", lambda _: "192.168.1.5")
    lines = [f'[mqtt]\nbroker = "{broker}"']
    if ca is not None:
        (tmp_path / "ca.pem").write_text(ca)
        lines.append(f'ca = "{tmp_path / "ca.pem"}"')
    (tmp_path / "hall.toml").write_text("\n".join([*lines, "[hall]\nlan = true\n"]))
    passwords = tmp_path / "passwords"
    passwords.write_text("hall:x\n")
    options = ["--config", str(tmp_path / "hall.toml"), "--data", str(tmp_path), "--passwords", str(passwords)]
    assert main(["hall", "invite", *options, "table-3"]) == 2
    assert says in capsys.readouterr().err
    assert passwords.read_text() == "hall:x\n"


def test_a_hall_whose_certificates_are_none_is_told_and_nothing_is_written(tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    with pytest.raises(JoinError, match="certificates that the hall sent: no certificates"):
        write_place(config, msgspec.structs.replace(PLACE, ca="quilt"), for_service=False)
    assert not config.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"prefix": "club/#"},
        {"table": "a/+"},
        {"name": "A\nb"},
        {"name": "A\u202e"},
        {"name": "\ud800"},
        {"password": "a\nb"},
        {"password": ""},
        {"broker": "mqtt://h\n"},
    ],
)
def test_a_hall_s_answer_is_checked_before_it_is_written(tmp_path: Path, wrong: dict[str, str]) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[terminal]\nlanguage = "ru"\n')
    with pytest.raises(JoinError, match="the hall’s answer cannot be used: "):
        write_place(config, msgspec.structs.replace(PLACE, **wrong), for_service=False)
    assert [each.name for each in tmp_path.iterdir()] == ["config.toml"]
    assert config.read_text() == '[terminal]\nlanguage = "ru"\n'


def test_a_hall_without_a_network_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("companion.cli.hall.reached_at", lambda _: None)
    assert main(["hall", "invite", "--config", str(hall_config(tmp_path)), "--data", str(tmp_path), "table-3"]) == 2
    assert "no IPv4 address" in capsys.readouterr().err


@pytest.mark.parametrize("code", ["nonsense", "R2M0-21BG-4TZX-9KQD"])
def test_a_code_that_is_mistyped_asks_nobody(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("http.client.HTTPConnection.request", lambda *_: pytest.fail("somebody was asked"))
    assert main(["join", "--config", str(tmp_path / "c.toml"), code]) == 2
    assert "is not a code" in capsys.readouterr().err


def test_a_hall_that_is_not_there_leaves_the_configuration(
    invitations: Invitations, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "c.toml"
    config.write_text("# mine\n")
    assert main(["join", "--config", str(config), "--hall", "127.0.0.1:1", str(_code(invitations))]) == 2
    assert "the hall at 127.0.0.1:1 does not answer: Connection refused" in capsys.readouterr().err
    assert config.read_text() == "# mine\n"
    assert not config.with_name("mqtt.password").exists()


@pytest.mark.parametrize("tool", ["missing", "failing"])
def test_without_mosquitto_s_tool_the_passwords_stay(
    tool: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if tool == "failing":
        (tmp_path / "mosquitto_passwd").write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / "mosquitto_passwd").chmod(0o755)
    passwords = tmp_path / "passwords"
    passwords.write_text("hall:x\n")
    data = ["--config", str(hall_config(tmp_path)), "--data", str(tmp_path), "--passwords", str(passwords)]
    monkeypatch.setattr("companion.cli.hall.reached_at", lambda _: "192.168.1.5")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["hall", "invite", *data, "table-3"]) == 2
    assert "mosquitto_passwd is missing or fails; install it with sudo apt install mosquitto" in capsys.readouterr().err
    assert passwords.read_text() == "hall:x\n"


def _code(invitations: Invitations) -> HallCode:
    return HallCode(IPv4Address("127.0.0.1"), invitations.add(PLACE, NOW_S))
