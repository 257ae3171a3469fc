"""Files damaged by accident or on purpose."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from random import Random

LONG: Final = "x" * 70_000
TEXTS: Final = (
    "", " ", "}", "{", "{0}", "{name}", "{name.__class__}", "%s%n", "\0", "\x1b[2J", "\u202e", "\ud800", "\n", "a\nb",
    "../../etc/passwd", "/dev/zero", "nan", LONG, "💥", "ا" * 300,
)  # fmt: skip
NUMBERS: Final = (
    0, -1, 1, 2, 3, 1 << 31, 1 << 63, 1 << 64, 10**400, 0.5, -0.0, 1e308, 1e-320, float("nan"), float("inf"),
)  # fmt: skip
_NESTED: Final[tuple[Any, ...]] = ([], {}, [[]], [None], {"": {}}, [1, 2, 3], {"seat": 1})
VALUES: Final[tuple[Any, ...]] = (None, True, False, *TEXTS, *NUMBERS, *_NESTED)
_TOML: Final = (
    "", "=", "[", "]", '"', '"}"', '"{name}"', "'''", "-1", "0", "1e400", "nan", "inf", "-inf", "true", "[]", "[[]]",
    "{}", "{a = 1}", '"\\u0000"', "1979-05-27", '"../../x"', "9" * 5000, "9" * 400, f'"{LONG}"', "[" * 3000,
    '["a", 1]', "[0, 0]",
    "[1e9, -1e9]", "[nan, nan]", "[[0, 0], [0, 0], [0, 0], [0, 0]]",
)  # fmt: skip


def spoiled_bytes(rng: Random, content: bytes) -> bytes:
    """Return content with up to three places flipped, cut, zeroed, doubled, swapped or inserted."""
    for _ in range(rng.randint(1, 3)):
        content = _spoiled_once(rng, content)
    return content


def _spoiled_once(rng: Random, content: bytes) -> bytes:
    one, other = sorted((rng.randint(0, len(content)), rng.randint(0, len(content))))
    match rng.randint(0, 5):
        case 0 if content:
            at = min(one, len(content) - 1)
            return content[:at] + bytes([content[at] ^ (1 << rng.randint(0, 7))]) + content[at + 1 :]
        case 1:
            return content[:one]
        case 2:
            return content[:one] + bytes(other - one) + content[other:]
        case 3:
            return content[:other] + content[one:]
        case 4:
            return content[:one] + rng.randbytes(rng.randint(1, 9)) + content[one:]
        case _:
            return content[:one] + content[other:]


def spoiled_value(rng: Random, value: Any) -> Any:
    """Return decoded JSON in which one value is replaced or removed."""
    if value and rng.random() < 0.85:
        if isinstance(value, dict):
            return _spoiled_object(rng, value)
        if isinstance(value, list):
            return _spoiled_list(rng, value)
    return rng.choice(VALUES)


def _spoiled_object(rng: Random, value: dict[str, Any]) -> dict[str, Any]:
    key = rng.choice(list(value))
    match rng.randint(0, 9):
        case 0:
            return {each: item for each, item in value.items() if each != key}
        case 1:
            return {**value, rng.choice(TEXTS): rng.choice(VALUES)}
        case _:
            return {**value, key: spoiled_value(rng, value[key])}


def _spoiled_list(rng: Random, value: list[Any]) -> list[Any]:
    at = rng.randrange(len(value))
    match rng.randint(0, 9):
        case 0:
            return value[:at] + value[at + 1 :]
        case 1:
            return [*value[:at], value[at], *value[at:]]
        case _:
            return [*value[:at], spoiled_value(rng, value[at]), *value[at + 1 :]]


def spoiled_lines(rng: Random, content: bytes) -> bytes:
    """Return JSON Lines of which one or two are changed."""
    if rng.random() < 0.2:
        return spoiled_bytes(rng, content)
    lines = content.splitlines()
    for _ in range(rng.randint(1, 2)):
        # The header has the greatest effect.
        at = 0 if rng.random() < 0.4 else rng.randrange(len(lines))
        match rng.randint(0, 9):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, rng.choice(lines))
            case _:
                lines[at] = _dumped(spoiled_value(rng, _loaded(lines[at])))
        if not lines:
            break
    return b"\n".join(lines) + b"\n"


def _loaded(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _dumped(value: Any) -> bytes:
    # Python does not convert the longest numbers to text.
    text = json.dumps(value, default=str) if not _is_huge(value) else "9" * 400
    return text.encode()


def _is_huge(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 1000


def spoiled_toml(rng: Random, content: bytes) -> bytes:
    """Return TOML of which one or two lines are changed."""
    if rng.random() < 0.2:
        return spoiled_bytes(rng, content)
    lines = content.decode().splitlines()
    for _ in range(rng.randint(1, 2)):
        at = rng.choice([number for number, line in enumerate(lines) if line and not line.startswith("#")] or [0])
        key, equals, _ = lines[at].partition("=")
        match rng.randint(0, 9):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, rng.choice(lines))
            case 2:
                lines.insert(at, f"{rng.choice(('x', 'a.b', '[x]', '[[x]]', 'name'))} = {rng.choice(_TOML)}")
            case _ if equals:
                lines[at] = f"{key}= {rng.choice(_TOML)}"
            case _:
                lines[at] = rng.choice(("[x]", "[[x]]", "[", "[]", "[game]", "[a.b.c]"))
        if not lines:
            break
    return "\n".join(lines).encode("utf-8", "surrogatepass") + b"\n"
