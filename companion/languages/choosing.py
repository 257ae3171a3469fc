"""The reader's language, chosen by the preferences that browsers and terminals report."""

from collections.abc import Iterable, Mapping
from typing import Final

from companion.languages.language import ENGLISH, LANGUAGES, Language

# The variables that gettext reads, in its order.
_VARIABLES: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
# More than any browser sends; the header comes from strangers.
_MOST_TAGS: Final = 20


def language_for(accepted: str) -> Language:
    """Return the language for an Accept-Language header (RFC 9110, 12.5.4): the supported one with the greatest weight.

    The result is English if it names no supported one.
    """
    weighed = [_weighed(part) for part in accepted.split(",")[:_MOST_TAGS]]
    # Sorting is stable: of equal weights the first one is preferred.
    return _first(tag for tag, weight in sorted(weighed, key=lambda each: -each[1]) if weight > 0)


def language_of_environment(environment: Mapping[str, str]) -> Language:
    """Return the language of a terminal by gettext's variables: the first one set decides; English by default."""
    wanted = next((environment[name] for name in _VARIABLES if environment.get(name)), "")
    return _first(wanted.split(":"))


def _first(tags: Iterable[str]) -> Language:
    """Return the language of the first tag that names a supported one ("fa", "fa-IR", "fa_IR.UTF-8"), or English."""
    codes = (tag.replace("_", "-").replace(".", "-").partition("-")[0].strip().lower() for tag in tags)
    return next((LANGUAGES[code] for code in codes if code in LANGUAGES), ENGLISH)


def _weighed(part: str) -> tuple[str, float]:
    tag, _, parameter = part.strip().partition(";")
    _, _, weight = parameter.strip().partition("q=")
    try:
        return tag, float(weight) if weight else 1.0
    except ValueError:
        return tag, 0.0
