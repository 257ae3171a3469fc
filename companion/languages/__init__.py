"""The program's sentences in each reader's language: messages, their catalogues, numbers and lists.

The catalogues are gettext's (`<language>/LC_MESSAGES/companion.po`), compiled when the program is installed
(`setup.py`) and by `make`.
"""

from companion.languages.language import (
    ENGLISH,
    LANGUAGES,
    Language,
    as_seen,
    harmless,
    is_plain,
    language_for,
    language_of_environment,
)
from companion.languages.sentence import (
    Label,
    Sentence,
    all_of,
    any_of,
    counted,
    halves,
    in_turn,
    json_says,
    listed,
    reason,
    render,
    said,
    system_says,
    toml_says,
)

__all__ = [
    "ENGLISH",
    "LANGUAGES",
    "Label",
    "Language",
    "Sentence",
    "all_of",
    "any_of",
    "as_seen",
    "counted",
    "halves",
    "harmless",
    "in_turn",
    "is_plain",
    "json_says",
    "language_for",
    "language_of_environment",
    "listed",
    "reason",
    "render",
    "said",
    "system_says",
    "toml_says",
]
