"""Evenings as tests play them: one call for a game at a simulated table, and one for a game at a real one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.compose.playing import RealTable, SimulatedDevices, play
from companion.patchwork.game import PATCHWORK
from companion.play.host import NextGame
from companion.play.session import Participants

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from companion.config import Config
    from companion.journal import Journal
    from companion.play.game import AnyGame
    from companion.play.host import Host
    from companion.play.session import Desk, DeviceFactory, GameResult, RemoteParticipant, Simulation
    from hardware.ports import RGB


def simulate(
    config: Config,
    simulation: Simulation,
    book: Journal,
    folder: Path,
    game_id: int | None = None,
    listeners: Sequence[Callable[[Any], None]] = (),
    mirrors: Sequence[Callable[[Sequence[RGB]], None]] = (),
    remote: RemoteParticipant | None = None,
    *,
    game: AnyGame = PATCHWORK,
    desk: Desk | None = None,
    host: Host | None = None,
    name: str | None = None,
) -> GameResult:
    """Play a game at a simulated table to its end."""
    company = Participants(tuple(listeners), mirrors, remote, desk)
    return play(NextGame(game, config, game_id), SimulatedDevices(simulation, name), book, folder, company, host)


def play_table(
    config: Config,
    book: Journal,
    folder: Path,
    game_id: int | None = None,
    listeners: Sequence[Callable[[Any], None]] = (),
    mirrors: Sequence[Callable[[Sequence[RGB]], None]] = (),
    remote: RemoteParticipant | None = None,
    *,
    game: AnyGame = PATCHWORK,
    openers: DeviceFactory | None = None,
    record: Path | None = None,
    desk: Desk | None = None,
    host: Host | None = None,
) -> GameResult:
    """Play a game at a real table until its frames end."""
    company = Participants(tuple(listeners), mirrors, remote, desk)
    return play(NextGame(game, config, game_id), RealTable(openers, record), book, folder, company, host)
