"""Patchwork's implementation of `Game`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.games.patchwork import Setup, State
from companion.languages import Sentence, said
from companion.patchwork import words
from companion.patchwork.codec import PATCHWORK as CODEC
from companion.patchwork.codec import PatchworkTranscript
from companion.patchwork.settings import PatchworkSettings
from companion.play.game import Game, SimulatedParts
from hardware.ports import Camera

if TYPE_CHECKING:
    from companion.config import Config
    from companion.journal import Journal
    from companion.patchwork.arrangement import PatchworkArrangement
    from companion.patchwork.events import Event
    from companion.patchwork.page.interface import PatchworkPage
    from companion.patchwork.table import PatchworkTable
    from companion.patchwork.terminal.interface import PatchworkTerminal
    from companion.patchwork.watching.clearing import BoardClearing
    from companion.play.evening import Evening, EveningResult
    from companion.play.simulation import Simulation


class Patchwork(Game):
    """Two players, two quilt boards, a circle of 33 patches."""

    title = "Patchwork"
    codec = CODEC
    settings = PatchworkSettings
    has_profiles = True

    def arrangement(self, config: Config) -> PatchworkArrangement:
        """See `Game`."""
        from companion.patchwork.arrangement import PatchworkArrangement  # noqa: PLC0415

        return PatchworkArrangement.of(config)

    def setup(self, config: Config) -> Setup:
        """See `Game`."""
        return config.of(PatchworkSettings).setup()

    def first_notes(self, setup: Setup, config: Config, seed: int | None) -> dict[str, str]:
        """See `Game`: the players' colours, and a circle on the table that is unknown to the companion."""
        from companion.patchwork.arrangement import table_notes  # noqa: PLC0415

        del seed
        return table_notes(config, setup)

    def clearing(self, config: Config) -> BoardClearing | None:
        """See `Game`: empty boards begin the next game at a table without buttons."""
        from companion.patchwork.watching.clearing import BoardClearing, begins_by_clearing  # noqa: PLC0415

        return BoardClearing(config.table) if begins_by_clearing(config) else None

    @property
    def begin_says(self) -> Sentence:
        """See `Game`."""
        return said("Place both empty boards under the camera, then press confirm: a new game begins.")

    def camera(self, config: Config, camera: Camera) -> Camera:
        """See `Game`: the pictures of a calibrated lens are straightened."""
        from calibration.stored import straightened  # noqa: PLC0415
        from companion.calibrating.configured import calibration_of  # noqa: PLC0415

        return straightened(camera, calibration_of(config.table))

    def recording_head(self, config: Config, setup: Setup) -> str:
        """See `Game`."""
        from companion.calibrating.configured import seating_of  # noqa: PLC0415
        from companion.patchwork.recording import head_text  # noqa: PLC0415

        return head_text(setup, seating=seating_of(config.table))

    def transcript(self) -> PatchworkTranscript:
        """See `Game`."""
        return PatchworkTranscript()

    def table(self, evening: Evening) -> PatchworkTable:
        """See `Game`."""
        from companion.patchwork.assembling import live_table  # noqa: PLC0415
        from companion.patchwork.watching.profiles import KnownBoards  # noqa: PLC0415

        return live_table(evening, KnownBoards.of(evening.config.table))

    def replay(
        self, folder: Path, config: Config, *, explain: Path | None = None, hands_free: bool = False
    ) -> EveningResult:
        """See `Game`."""
        from companion.patchwork.reading.study import StudyWriter  # noqa: PLC0415
        from companion.patchwork.replaying import replay_recording  # noqa: PLC0415

        studied = None if explain is None else StudyWriter(explain).write
        return replay_recording(folder, config, hands_free=hands_free, studied=studied)

    def whose_turn(self, state: State) -> str:
        """See `Game`."""
        return words.turn_sentence(state)

    def spoken(self, event: Event) -> tuple[Sentence | str, ...]:
        """See `Game`."""
        return words.spoken(event)

    def simulated(self, simulation: Simulation, config: Config, book: Journal, game_id: int | None) -> SimulatedParts:
        """See `Game`."""
        from companion.patchwork.simulated import simulated_table  # noqa: PLC0415

        return simulated_table(simulation, config, book, game_id)

    def simulated_name(self, simulation: Simulation, config: Config) -> str:
        """See `Game`."""
        from companion.patchwork.simulated import table_name  # noqa: PLC0415

        return table_name(simulation, config)

    @property
    def page(self) -> PatchworkPage:
        """See `Game`."""
        from companion.patchwork.page import PATCHWORK_PAGE  # noqa: PLC0415

        return PATCHWORK_PAGE

    @property
    def terminal(self) -> PatchworkTerminal:
        """See `Game`."""
        from companion.patchwork.terminal.interface import PatchworkTerminal  # noqa: PLC0415

        return PatchworkTerminal()


PATCHWORK: Game = Patchwork()
