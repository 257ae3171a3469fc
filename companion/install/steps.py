"""The steps of an installation, each of which knows whether it is done already, does it, and describes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from companion.durable import take_place, write_beside
from companion.errors import CompanionError
from companion.languages import said, system_says

if TYPE_CHECKING:
    from pathlib import Path

Execute: TypeAlias = Callable[[Sequence[str]], int]
"""Runs a command and returns its status; what it prints is for the user."""


class StepError(CompanionError):
    """A step cannot be done."""


class InstallStep(Protocol):
    """One step of an installation."""

    @property
    def says(self) -> str:
        """A line that describes the step."""

    def is_done(self) -> bool:
        """Return whether nothing is left to do."""

    def do(self, execute: Execute) -> None:
        """Do the step.

        Raises:
            StepError: it cannot be done.
        """


@dataclass(frozen=True, slots=True)
class WriteFile:
    """The step that writes a file.

    Attributes:
        path: where.
        text: what stands in it.
        keep: whether a file that is there already stays as it is, whatever stands in it.
        mode: of the file.
    """

    path: Path
    text: str
    keep: bool = False
    mode: int = 0o644

    @property
    def says(self) -> str:
        """A line that describes the step."""
        return said("write {path}", path=str(self.path))

    def is_done(self) -> bool:
        """Return whether it stands there."""
        try:
            return (self.keep and self.path.exists()) or self.path.read_text(encoding="utf-8") == self.text
        except OSError:
            return False

    def do(self, execute: Execute) -> None:
        """Write the file, whole or not at all."""
        del execute
        with _explained(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            temporary = write_beside(self.path, self.text.encode())
            temporary.chmod(self.mode)
            take_place(temporary, self.path)


@dataclass(frozen=True, slots=True)
class RemoveFile:
    """The step that removes a file, unless the user has changed it.

    Attributes:
        path: where.
        only_if: it is deleted only with this text in it; None: whatever stands in it.
    """

    path: Path
    only_if: str | None = None

    @property
    def says(self) -> str:
        """A line that describes the step."""
        return said("delete {path}", path=str(self.path))

    def is_done(self) -> bool:
        """Return whether it is gone, or kept for good."""
        if not self.path.exists():
            return True
        try:
            return self.only_if is not None and self.path.read_text(encoding="utf-8") != self.only_if
        except OSError:
            return False

    def do(self, execute: Execute) -> None:
        """Delete the file, and its folder if that has become empty and is ours."""
        del execute
        with _explained(self.path):
            self.path.unlink(missing_ok=True)
            folder = self.path.parent
            if folder.name == "quilt-companion" and not any(folder.iterdir()):
                folder.rmdir()


@dataclass(frozen=True, slots=True)
class RunCommand:
    """The step that runs a command.

    Attributes:
        command: the command.
        done: whether there is no need to.
        needed: whether its failure ends the installation.
    """

    command: tuple[str, ...]
    done: Callable[[], bool] = lambda: False
    needed: bool = True

    @property
    def says(self) -> str:
        """A line that describes the step."""
        return said("run {command}", command=" ".join(self.command))

    def is_done(self) -> bool:
        """Return whether there is no need to."""
        return self.done()

    def do(self, execute: Execute) -> None:
        """Run the command."""
        status = execute(self.command)
        if status != 0 and self.needed:
            says = said(
                "{command}: failed with status {status}; mend that and install again",
                command=" ".join(self.command),
                status=status,
            )
            raise StepError(says)


class _explained:  # noqa: N801 - reads as a function
    """Turn what the system reports of a path into a StepError."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        """Do nothing yet."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            do = (
                said("run it as root ({command})", command="sudo")
                if isinstance(error, PermissionError)
                else said("mend that and install again")
            )
            raise StepError(
                said("{path}: {fault}; {do}", path=str(self._path), fault=system_says(error), do=do)
            ) from error
