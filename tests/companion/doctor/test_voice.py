from __future__ import annotations

from typing import TYPE_CHECKING

from companion.doctor.machine import Machine
from companion.doctor.voice import check_voice

if TYPE_CHECKING:
    from pathlib import Path


def test_a_machine_that_can_speak(tmp_path: Path) -> None:
    found = check_voice(Machine(tmp_path, " ".join))
    assert (found.level, found.title) == ("ok", "espeak-ng is there.")


def test_a_machine_without_the_program_is_silent_and_told_how_to_mend_it(tmp_path: Path) -> None:
    found = check_voice(Machine(tmp_path, lambda _: None))
    assert (found.level, found.title) == ("note", "There is no program espeak-ng.")
    assert found.do == "sudo apt install espeak-ng"
