"""A game with a friend at another table: the code, the meeting, and the connection during the game."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final

import msgspec

from companion.cli.brokering import linked
from companion.config import Config
from companion.journal import GameFilter
from companion.languages import is_plain, reason, said
from companion.play.arrangement import LONGEST_NAME
from companion.play.friend import (
    Friend,
    FriendStatus,
    NoPartnerError,
    code_in,
    friend_in,
    friend_of,
    new_code,
    with_friend,
)
from companion.play.game import AnyEntry, AnyGame, CannotResumeError, UsageError
from companion.play.host import NextGame, replayed_history
from companion.play.inbox import Inbox
from companion.record import RecordError
from companion.registry import game_named
from companion.settings import GameSettings

if TYPE_CHECKING:
    import argparse

    from companion.journal import Journal
    from companion.mqtt.line import BrokerLine
    from companion.mqtt.messages import FriendMessage

# Less than a page waits for a game that it has requested.
_JOINS_IN_S: Final = 10.0
_LOOKED_EVERY_S: Final = 0.2
_ANSWERS_IN_S: Final = 2.0
Tell = Callable[[str, FriendStatus | None], None]


def with_friend_of(args: argparse.Namespace, seat: int, game: AnyEntry, config: Config) -> Config:
    """Return the configuration with the friend of the command line, under the code that it gives.

    Raises:
        UsageError: such a game cannot be played.
    """
    if not game.at_two_tables:
        raise UsageError.said("{command}: {game} cannot be played at two tables", command="play", game=game.title)
    if seat not in (1, 2):
        raise UsageError.said("{command}: the friend’s seat must be {first} or {last}", command="play", first=1, last=2)
    _need_broker(config)
    # A recording shows one table, and has no part of what the other decides.
    for option, is_given in {"--record": args.record, "--games": args.games != 1, "--level": args.level}.items():
        if is_given:
            raise UsageError.said("{command}: leave out {option} with a friend", command="play", option=option)
    return with_friend(config, Friend(seat, "" if args.code is None else _code(args.code)))


NO_BROKER: Final = said(
    "A friend’s table is reached over an MQTT broker: set its address in the settings, or {key} in the section "
    "{section}.",
    key="broker",
    section="[mqtt]",
)
# The settings of which each seat has one.
_BY_SEAT: Final = ("players", "colours")


def _need_broker(config: Config) -> None:
    if config.mqtt.broker is None:
        raise UsageError.said(
            "{command}: a friend’s table is reached over an MQTT broker: set {key} in the section {section}",
            command="play",
            key="broker",
            section="[mqtt]",
        )


def _code(typed: str) -> str:
    try:
        return code_in(typed)
    except NoPartnerError as error:
        raise UsageError.said("{command}: {fault}", command="play", fault=reason(error)) from error


def is_other_game(args: argparse.Namespace, journal: Journal, game_id: int) -> bool:
    """Return whether the command line names another friend's game than the one of this number."""
    code = getattr(args, "code", None)
    friend = friend_in(journal.notes(game_id))
    return code is not None and (friend is None or friend.code != _code(code))


@contextmanager
def friend_line(config: Config, journal: Journal, next_game: NextGame) -> Iterator[BrokerLine | None]:
    """Return the connection to the friend's table during a game, or None if all players are here.

    Args:
        config: the table's, with its broker.
        journal: the journal.
        next_game: the game.

    Raises:
        CannotResumeError: it is a friend's game, and the table has no broker any more.
    """
    game_id = next_game.game_id
    friend = friend_of(next_game.config) if game_id is None else friend_in(journal.notes(game_id))
    if friend is None:
        yield None
        return
    if config.mqtt.broker is None:
        raise CannotResumeError.said(
            "a friend at another table plays in this game: set {key} in the section {section}",
            key="broker",
            section="[mqtt]",
        )
    from companion.mqtt.line import BrokerLine  # noqa: PLC0415  # Other games need no broker.
    from companion.mqtt.messages import FriendTopics  # noqa: PLC0415

    topics = FriendTopics(config.mqtt.prefix, friend.code)
    with BrokerLine(topics, friend.seat, lambda hello, notify: linked(config.mqtt, hello, notify)) as line:
        yield line


def send_end(config: Config, journal: Journal, table: str) -> None:
    """Send the end of the last game again, if the program ended before the friend's table had it.

    Args:
        config: the table's, with its broker.
        journal: the journal.
        table: the table's name in the journal.
    """
    last = next(iter(journal.find(GameFilter(table, by_change=True, limit=1))), None)
    friend = None if last is None or not last.finished else friend_in(journal.notes(last.game_id))
    if last is None or friend is None or config.mqtt.broker is None:
        return
    from companion.mqtt.friend import FriendPartner, owes_end  # noqa: PLC0415  # Other games need no broker.

    if not owes_end(journal.notes(last.game_id)):
        return
    game, number = game_named(last.game), last.game_id
    with friend_line(config, journal, NextGame(game, config, number)) as line:
        if line is not None:
            history = replayed_history(game, journal, number)
            partner = FriendPartner(friend, line, journal, number, game.codec, history, Inbox(), lambda *_: None)
            for _ in range(2):
                partner.tick(0.0)
                line.wait(_ANSWERS_IN_S)
            partner.tick(0.0)


def remove_messages(config: Config, friend: Friend) -> bool:
    """Remove this table's messages of a game from the broker; return False if the broker does not confirm it."""
    if config.mqtt.broker is None:
        return True
    from companion.mqtt.line import withdraw  # noqa: PLC0415  # Other games need no broker.
    from companion.mqtt.messages import FriendTopics  # noqa: PLC0415

    topics, own = FriendTopics(config.mqtt.prefix, friend.code), 3 - friend.seat
    # Again if the connection is cut, as `BrokerLine` does.
    return any(withdraw(topics, own, lambda hello, notify: linked(config.mqtt, hello, notify)) for _ in range(2))


@contextmanager
def friend_met(
    next_game: NextGame, config: Config, journal: Journal, tell: Tell, is_over: Callable[[], bool]
) -> Iterator[tuple[NextGame | None, BrokerLine | None]]:
    """Return a game as it is played, and the connection to the friend's table during it.

    A new game with a friend is returned once both tables have it, or as None if it is not wanted any more; a game
    without one is returned at once, with None for the connection.

    Args:
        next_game: the game.
        config: the table's, with its broker.
        journal: the journal.
        tell: says a sentence to the players, with the friend if they wait for one.
        is_over: returns whether the players do not want to wait any longer.

    Raises:
        CompanionError: there is no such game, or no broker.
    """
    friend = friend_of(next_game.config) if next_game.game_id is None else None
    if friend is not None:
        if config.mqtt.broker is None:
            raise NoPartnerError(NO_BROKER)
        next_game = replace(next_game, config=_addressed(next_game.config, next_game.game, friend))
    with friend_line(config, journal, next_game) as line:
        if friend is None or line is None:
            yield next_game, line
        elif friend.code:
            yield _joined(next_game, line, tell), line
        else:
            yield _begun(next_game, line, tell, is_over), line


def _addressed(config: Config, game: AnyGame, friend: Friend) -> Config:
    """Return the configuration of a new game with its code, and with the friend at the seat of the game to join.

    Raises:
        NoPartnerError: there is no such game.
    """
    if not friend.code:
        return with_friend(config, replace(friend, code=new_code()))
    seat = _seat_of(friend, config)
    if seat == friend.seat:
        return config
    settings = _settings(config, game)
    turned = {each.name: _turned(getattr(settings, each.name)) for each in fields(settings) if each.name in _BY_SEAT}
    return with_friend(config.with_game(replace(settings, **turned)), replace(friend, seat=seat))


def _turned(of_seats: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if of_seats is None else tuple(reversed(of_seats))


def _seat_of(friend: Friend, config: Config) -> int:
    """Return the seat of the friend whose table shows a code, the expected one if both seats have played.

    Raises:
        NoPartnerError: nobody does.
    """
    from companion.mqtt.link import Arrived, Hello, LinkError, News  # noqa: PLC0415
    from companion.mqtt.messages import FriendTopics  # noqa: PLC0415

    news: SimpleQueue[News] = SimpleQueue()
    seats = {FriendTopics(config.mqtt.prefix, friend.code).log(seat): seat for seat in (friend.seat, 3 - friend.seat)}
    # A client identifier of its own: brokers disconnect the older of two clients with the same one.
    try:
        link = linked(config.mqtt, Hello(f"quilt-join-{secrets.token_hex(4)}"), news.put)
    except LinkError as error:
        raise NoPartnerError(*error.args) from error
    try:
        for topic in seats:
            link.subscribe(topic)
        until_s = time.monotonic() + _JOINS_IN_S
        while (left_s := until_s - time.monotonic()) > 0:
            told = news.get(timeout=left_s)
            if isinstance(told, Arrived) and told.payload:
                return seats[told.topic]
    except (Empty, LinkError):
        pass
    finally:
        link.close()
    code = FriendStatus(friend.seat, friend.code).shown_code
    raise NoPartnerError.said(
        "Nobody waits with the code {code} at this broker: enter the one that the other table shows.", code=code
    )


def _begun(next_game: NextGame, line: BrokerLine, tell: Tell, is_over: Callable[[], bool]) -> NextGame | None:
    """Wait for the friend at the table that shows the code; return the game with both names, or None."""
    friend, game = _friend(next_game.config), next_game.game
    status = FriendStatus(friend.seat, friend.code)
    line.publish(_hello(next_game, friend), is_last=False)
    command = f"companion play --partner {3 - friend.seat} friend --code {status.shown_code}"
    says = said(
        "The code of this game is {code}. Your friend sets up a game on the page and enters it there, or types: "
        "{command}",
        code=status.shown_code,
        command=command,
    )
    tell(says, status)
    fault, message = "", None
    try:
        while (message := _message(line)) is None:
            if is_over():
                return None
            if line.fault not in ("", fault):
                fault = line.fault
                tell(said("The friend’s table cannot be reached yet: {fault}.", fault=fault), status)
            line.wait(_LOOKED_EVERY_S)
    finally:
        if message is None:
            # Nobody can join any more.
            line.publish(b"", is_last=True)
    tell(said("{name} is there.", name=message.name), None)
    return replace(next_game, config=_with_names(next_game.config, game, friend, message.name))


def _joined(next_game: NextGame, line: BrokerLine, tell: Tell) -> NextGame:
    """Return the game that the friend's table has begun, as it has.

    Raises:
        NoPartnerError: it cannot be played here.
    """
    friend, game = _friend(next_game.config), next_game.game
    until_s = time.monotonic() + _JOINS_IN_S
    while (message := _message(line)) is None:
        if time.monotonic() > until_s:
            raise NoPartnerError(line.fault or said("The friend’s table is not there any more."))
        line.wait(_LOOKED_EVERY_S)
    try:
        setup = game.codec.setup_from_json(message.setup)
    except RecordError as error:
        raise NoPartnerError.said("The friend’s game cannot be played here.") from error
    settings = _settings(next_game.config, game)
    known = {each.name for each in fields(settings)} - {"players"}
    same: dict[str, Any] = {each.name: getattr(setup, each.name) for each in fields(setup) if each.name in known}
    config = next_game.config.with_game(replace(settings, **same))
    next_game = replace(next_game, config=_with_names(config, game, friend, message.name))
    line.publish(_hello(next_game, friend), is_last=False)
    tell(said("{name} is there.", name=message.name), None)
    return next_game


def _settings(config: Config, game: AnyGame) -> GameSettings:
    assert game.entry.settings is not None  # noqa: S101  # A game at two tables has players to name.
    return config.of(game.entry.settings)


def _friend(config: Config) -> Friend:
    friend = friend_of(config)
    assert friend is not None  # noqa: S101  # There is a line only in a friend's game.
    return friend


def _message(line: BrokerLine) -> FriendMessage | None:
    """Return the friend's newest message, or None if none has come that can be read."""
    from companion.mqtt.messages import FriendMessage, MessageError, read_message  # noqa: PLC0415

    try:
        return None if line.newest is None else read_message(line.newest, FriendMessage)
    except MessageError:
        return None


def _hello(next_game: NextGame, friend: Friend) -> bytes:
    """Return the first message of a table, with the setup and without decisions."""
    from companion.mqtt.messages import FriendMessage  # noqa: PLC0415

    game, config = next_game.game, next_game.config
    name = game.setup(config).players[2 - friend.seat]
    setup = game.codec.setup_to_json(game.setup(config))
    return msgspec.json.encode(FriendMessage(friend.code, 3 - friend.seat, name, setup))


def _with_names(config: Config, game: AnyGame, friend: Friend, name: str) -> Config:
    """Return the configuration with the friend's name at the friend's seat."""
    settings = _settings(config, game)
    players: list[str] = list(getattr(settings, "players"))  # noqa: B009
    own = players[2 - friend.seat]
    if not (0 < len(name.strip()) <= LONGEST_NAME and is_plain(name)):
        name = str(said("Friend"))
    players[friend.seat - 1] = f"{name[: LONGEST_NAME - 2]} 2" if name == own else name
    others: dict[str, Any] = {"players": tuple(players)}
    return config.with_game(replace(settings, **others))
