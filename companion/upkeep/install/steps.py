"""The kinds of steps of an installation: writing a file, removing one, and running a command."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from companion.durable import take_place, write_beside
from companion.errors import CompanionError
from companion.languages import said, system_says

Execute: TypeAlias = Callable[[Sequence[str]], int]
"""A function that runs a command and returns its exit status; the command's output goes to the user."""


class StepError(CompanionError):
    """Raised if a step fails."""


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
            StepError: it fails.
        """


@dataclass(frozen=True, slots=True)
class WriteFile:
    """The step that writes a file.

    Attributes:
        path: the file's path.
        text: the file's content.
        keep: whether an existing file is left unchanged, whatever its content.
        mode: the file's permissions.
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
        """Return whether the file has this text, or exists and is to be kept."""
        try:
            return (self.keep and self.path.exists()) or self.path.read_text(encoding="utf-8") == self.text
        except OSError:
            return False

    def do(self, execute: Execute) -> None:
        """Write the file atomically."""
        del execute
        with _explained(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            temporary = write_beside(self.path, self.text.encode())
            # Before it takes its place, so that it is never there with other permissions.
            temporary.chmod(self.mode)
            take_place(temporary, self.path)


@dataclass(frozen=True, slots=True)
class RemoveFile:
    """The step that removes a file; with `only_if`, a file that was changed stays.

    Attributes:
        path: the file's path.
        only_if: the content with which it is deleted; None to delete it whatever its content.
    """

    path: Path
    only_if: str | None = None

    @property
    def says(self) -> str:
        """A line that describes the step."""
        return said("delete {path}", path=str(self.path))

    def is_done(self) -> bool:
        """Return whether the file is gone, or has another content than `only_if`."""
        if not self.path.exists():
            return True
        try:
            return self.only_if is not None and self.path.read_text(encoding="utf-8") != self.only_if
        except OSError:
            return False

    def do(self, execute: Execute) -> None:
        """Delete the file, and its folder if that is the companion's and empty."""
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
        done: returns whether the command is unnecessary.
        needed: whether a failure ends the installation.
    """

    command: tuple[str, ...]
    done: Callable[[], bool] = lambda: False
    needed: bool = True

    @property
    def says(self) -> str:
        """A line that describes the step."""
        return said("run {command}", command=" ".join(self.command))

    def is_done(self) -> bool:
        """Return whether the command is unnecessary."""
        return self.done()

    def do(self, execute: Execute) -> None:
        """Run the command."""
        status = execute(self.command)
        if status != 0 and self.needed:
            says = said(
                "{command}: failed with status {status}; fix that and install again",
                command=" ".join(self.command),
                status=status,
            )
            raise StepError(says)


class _explained:  # noqa: N801 - reads as a function
    """A context manager that converts an OSError into a StepError about a path."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        """Do nothing yet."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            do = (
                said("run it as root ({command})", command="sudo")
                if isinstance(error, PermissionError)
                else said("fix that and install again")
            )
            raise StepError(
                said("{path}: {fault}; {do}", path=str(self._path), fault=system_says(error), do=do)
            ) from error
