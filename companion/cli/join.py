"""`companion join`: a table gets its place at a hall's broker, by a code."""

import argparse
import grp
import http.client
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec

from companion.cli.backup import is_for_service, places_of
from companion.cli.brokering import broker_fault
from companion.cli.options import add_shared, terminal_language
from companion.config import HallConfig
from companion.config.broker import MqttConfig, broker, line, topic_level, topic_prefix
from companion.configuration import load_config, write_section, written_config
from companion.durable import take_place, write_beside, write_whole
from companion.languages import is_plain, reason, render, said, system_says
from companion.mqtt.joining import (
    LONGEST_CA,
    BrokerPlace,
    HallCode,
    JoinError,
    at_port,
    check_certificates,
    fingerprint,
)
from companion.terminal.output import put
from companion.upkeep.install import UNIT, USER

_PASSWORD_FILE: Final = "mqtt.password"  # noqa: S105 - a file's name
_CA_FILE: Final = "mqtt-ca.pem"
_TIMEOUT_S: Final = 10.0
_LONGEST_PASSWORD: Final = 200
# JSON takes two characters for each line break of the certificates.
_LONGEST_BYTES: Final = 4096 + 2 * LONGEST_CA


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_shared(parser, "--config", "--language")
    parser.description = said(
        "Get this table’s access to the broker from a club’s hall, and write it into the configuration. The "
        "code comes from {command}, run at the hall.",
        command="companion hall invite",
    )
    parser.add_argument("code", metavar="CODE", help=said("groups of four letters and digits"))
    parser.add_argument(
        "--hall",
        metavar="ADDRESS",
        help=said(
            "the hall’s address and port, if they differ from those in the code: {example}", example="192.168.1.5:8090"
        ),
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Join, and print what to do next."""
    language, path = terminal_language(args), places_of(args).config
    assert path is not None  # noqa: S101  # There is always a place for a configuration.
    # Paths beside it are absolute in it, so that they are valid in any working directory.
    path = path.absolute()
    code = HallCode.parse(args.code)
    # If the configuration cannot be written, the code must not be used up.
    if not os.access(next(each for each in (path, *path.parents) if each.exists()), os.W_OK):
        raise _unwritable(path, said("Permission denied"))
    # Nor if it cannot be read.
    written_config(path)
    place = ask(code, args.hall or at_port(code.address, HallConfig().port))
    write_place(path, place, for_service=is_for_service(args))
    says = [said("{table} now reports its games to {broker}; {path} is updated.", table=place.table,
                 broker=place.broker, path=str(path))]  # fmt: skip
    if place.ca:
        says.append(
            said(
                "The broker’s certificates came with it; their SHA-256 begins with {fingerprint}. If the hall "
                "printed a different one, somebody has tampered with the connection.",
                fingerprint=fingerprint(place.ca),
            )
        )
    fault = broker_fault(load_config(path).mqtt)
    if fault is None:
        says.append(said("The broker accepts the connection."))
    else:
        says.append(said("The connection was tested: {fault}.", fault=fault))
    if is_for_service(args):
        says.append(said("Continue with {command}", command=f"sudo systemctl restart {UNIT}"))
    put("".join(f"{render(each, language)}\n" for each in says))
    return 0


def ask(code: HallCode, hall: str) -> BrokerPlace:
    """Exchange a code, which is used up by that, for the table's place at the broker.

    Args:
        code: the code from the hall.
        hall: the hall's address and port.

    Raises:
        JoinError: the hall does not answer, or does not know the code.
    """
    try:
        there = urlsplit(f"//{hall.removeprefix('http://').rstrip('/')}")
        connection = http.client.HTTPConnection(
            there.hostname or "", there.port or HallConfig().port, timeout=_TIMEOUT_S
        )
        try:
            body = json.dumps({"code": str(code)})
            connection.request("POST", "/api/join", body, {"content-type": "application/json"})
            answer = connection.getresponse()
            status, content = answer.status, answer.read(_LONGEST_BYTES)
        finally:
            connection.close()
        if status == http.client.OK:
            return msgspec.json.decode(content, type=_Joined).place
    except (OSError, ValueError, http.client.HTTPException, msgspec.DecodeError, RecursionError) as error:
        fault = system_says(error) or type(error).__name__
        raise JoinError.said(
            "join: the hall at {address} does not answer: {fault}; is it switched on and on this network?",
            address=hall,
            fault=fault,
        ) from error
    if status == http.client.NOT_FOUND:
        raise JoinError.said(
            "join: the hall at {address} does not accept this code: it was used already, or is older than a day; "
            "get a new one with {command}",
            address=hall,
            command="sudo companion hall invite TABLE",
        )
    fault = said("status {status}", status=status)
    raise JoinError.said("join: the hall at {address} refused: {fault}", address=hall, fault=fault)


def write_place(path: Path, place: BrokerPlace, *, for_service: bool) -> None:
    """Write a place into a configuration, and its password into a file beside that.

    Args:
        path: the configuration.
        place: the place that the hall assigned.
        for_service: whether the service's user must be able to read it.

    Raises:
        JoinError: it cannot be written, or the hall's values are invalid.
        ConfigError: the configuration cannot be read.
    """
    config, secret = written_config(path), path.with_name(_PASSWORD_FILE)
    ca = path.with_name(_CA_FILE) if place.ca else None
    if place.ca:
        try:
            check_certificates(place.ca)
        except ValueError as error:
            raise JoinError.said("join: the certificates that the hall sent: {fault}", fault=str(error)) from error
    mqtt = replace(_section(config.mqtt, place), password_file=secret, ca=ca)
    values = {
        "broker": place.broker,
        "prefix": place.prefix,
        "table": place.table,
        "name": place.name,
        "username": place.table,
        "password_file": str(secret),
        "ca": None if ca is None else str(ca),
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = write_beside(secret, f"{place.password}\n".encode(), mode=0o600)
        # Before it takes its place, so that nobody else can read the password for a moment.
        beside.chmod(0o640 if for_service else 0o600)
        if for_service:
            os.chown(beside, -1, grp.getgrnam(USER).gr_gid)
        take_place(beside, secret)
        if ca is not None:
            write_whole(ca, place.ca.encode())
            ca.chmod(0o644)
        written = {
            key: None if value is None else json.dumps(value, ensure_ascii=False) for key, value in values.items()
        }
        # Last, as it names the other files.
        write_section(path, replace(config, mqtt=mqtt), "mqtt", written)
    except OSError as error:
        raise _unwritable(path, system_says(error)) from error


def _section(before: MqttConfig, place: BrokerPlace) -> MqttConfig:
    """Return the configuration's section with a place in it, validated like one that a user writes.

    Raises:
        JoinError: the place is invalid.
    """
    try:
        if not 0 < len(place.password) <= _LONGEST_PASSWORD or not is_plain(place.password):
            raise ValueError(said("the password is not a single line of text"))
        return replace(
            before,
            broker=broker(place.broker),
            prefix=topic_prefix(place.prefix),
            table=topic_level(place.table),
            name=line(place.name),
            username=place.table,
        )
    except ValueError as error:
        raise JoinError.said("join: the hall’s answer cannot be used: {fault}", fault=reason(error)) from error


class _Joined(msgspec.Struct):
    place: BrokerPlace


def _unwritable(path: Path, fault: str) -> JoinError:
    return JoinError.said("{path}: cannot be written: {fault}", path=str(path), fault=fault)
