"""The list of the owners' documents, and their files in each language."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.languages import ENGLISH, LANGUAGES, said
from companion.web.documents.rendering import Rendered, rendered

if TYPE_CHECKING:
    from companion.languages import Language, Sentence

FILES: Final = Path(__file__).parent / "files"
PICTURES: Final = "pictures"
_KINDS: Final = (".svg", ".jpg", ".png")


@dataclass(frozen=True, slots=True)
class Document:
    """A document.

    Attributes:
        name: the name of its file, without suffix.
        says: its subject, in a few words.
    """

    name: str
    says: Sentence


DOCUMENTS: Final = (
    Document("playing", said("An evening with the companion: buttons, questions, hands-free, the page")),
    Document("build", said("Parts, wiring, camera, installation, and what to do when something is wrong")),
    Document("controls", said("Number pads, remotes, shutters and pedals in place of soldered buttons")),
    Document("printing", said("Mats, labels and sheets on paper, and how to calibrate the table")),
    Document("lights", said("What each light on the strip means")),
    Document("rules", said("The rules of Patchwork as the companion applies them")),
    Document("upkeep", said("Backups, restoring them on another machine, and updates")),
    Document("privacy", said("What is stored about players, where and for how long, and how to delete it")),
)


def document_file(name: str, language: Language, folder: Path = FILES) -> Path:
    """Return the path of a document in a language; it need not exist."""
    return folder / f"{name}.md" if language.code == ENGLISH.code else folder / language.code / f"{name}.md"


@cache
def document(name: str, code: str) -> Rendered:
    """Return a document in a language as HTML; cached.

    Raises:
        KeyError: there is no such document.
    """
    if name not in {each.name for each in DOCUMENTS}:
        raise KeyError(name)
    text = document_file(name, LANGUAGES[code]).read_text(encoding="utf-8")
    return rendered(text, lambda link: _title(link, code))


@cache
def _title(file: str, code: str) -> tuple[str, str] | None:
    """Return name and title of the document in a linked file, or None if the file is none of the documents."""
    name = file.removesuffix(".md").rpartition("/")[2]
    if not file.endswith(".md") or name not in {each.name for each in DOCUMENTS}:
        return None
    return name, title_of(name, LANGUAGES[code])


def title_of(name: str, language: Language) -> str:
    """Return a document's title in a language: its first heading."""
    text = document_file(name, language).read_text(encoding="utf-8")
    first = next(line for line in text.splitlines() if line.startswith("# "))
    return first.removeprefix("# ").strip()


def picture(name: str, folder: Path = FILES) -> Path | None:
    """Return the file of a picture of the documents, or None if there is no picture of this name."""
    parts = name.split("/")
    # Nothing outside the folder can be named.
    if any(part in ("", ".", "..") for part in parts) or not name.endswith(_KINDS):
        return None
    path = folder / PICTURES / name
    return path if path.is_file() else None
