"""Names of keys in Linux (linux/input-event-codes.h): those of keyboards, remotes, mice and pedals."""

import re
from typing import Final

MOST: Final = 0x2FF
"""The greatest code (KEY_MAX)."""

# Runs of consecutive codes, each with its first code and the names.
_RUNS: Final = (
    (
        0x1,
        "KEY_ESC KEY_1 KEY_2 KEY_3 KEY_4 KEY_5 KEY_6 KEY_7 KEY_8 KEY_9 KEY_0 KEY_MINUS KEY_EQUAL KEY_BACKSPACE "
        "KEY_TAB KEY_Q KEY_W KEY_E KEY_R KEY_T KEY_Y KEY_U KEY_I KEY_O KEY_P KEY_LEFTBRACE KEY_RIGHTBRACE "
        "KEY_ENTER KEY_LEFTCTRL KEY_A KEY_S KEY_D KEY_F KEY_G KEY_H KEY_J KEY_K KEY_L KEY_SEMICOLON "
        "KEY_APOSTROPHE KEY_GRAVE KEY_LEFTSHIFT KEY_BACKSLASH KEY_Z KEY_X KEY_C KEY_V KEY_B KEY_N KEY_M KEY_COMMA "
        "KEY_DOT KEY_SLASH KEY_RIGHTSHIFT KEY_KPASTERISK KEY_LEFTALT KEY_SPACE KEY_CAPSLOCK KEY_F1 KEY_F2 KEY_F3 "
        "KEY_F4 KEY_F5 KEY_F6 KEY_F7 KEY_F8 KEY_F9 KEY_F10 KEY_NUMLOCK KEY_SCROLLLOCK KEY_KP7 KEY_KP8 KEY_KP9 "
        "KEY_KPMINUS KEY_KP4 KEY_KP5 KEY_KP6 KEY_KPPLUS KEY_KP1 KEY_KP2 KEY_KP3 KEY_KP0 KEY_KPDOT",
    ),
    (
        0x55,
        "KEY_ZENKAKUHANKAKU KEY_102ND KEY_F11 KEY_F12 KEY_RO KEY_KATAKANA KEY_HIRAGANA KEY_HENKAN "
        "KEY_KATAKANAHIRAGANA KEY_MUHENKAN KEY_KPJPCOMMA KEY_KPENTER KEY_RIGHTCTRL KEY_KPSLASH KEY_SYSRQ "
        "KEY_RIGHTALT KEY_LINEFEED KEY_HOME KEY_UP KEY_PAGEUP KEY_LEFT KEY_RIGHT KEY_END KEY_DOWN KEY_PAGEDOWN "
        "KEY_INSERT KEY_DELETE KEY_MACRO KEY_MUTE KEY_VOLUMEDOWN KEY_VOLUMEUP KEY_POWER KEY_KPEQUAL "
        "KEY_KPPLUSMINUS KEY_PAUSE KEY_SCALE KEY_KPCOMMA KEY_HANGEUL KEY_HANJA KEY_YEN KEY_LEFTMETA KEY_RIGHTMETA "
        "KEY_COMPOSE",
    ),
    (0x8B, "KEY_MENU KEY_CALC"),
    (0x8E, "KEY_SLEEP"),
    (0x96, "KEY_WWW"),
    (0x98, "KEY_COFFEE"),
    (0x9E, "KEY_BACK KEY_FORWARD"),
    (0xA1, "KEY_EJECTCD"),
    (0xA3, "KEY_NEXTSONG KEY_PLAYPAUSE KEY_PREVIOUSSONG KEY_STOPCD"),
    (0xA8, "KEY_REWIND"),
    (0xAB, "KEY_CONFIG KEY_HOMEPAGE KEY_REFRESH KEY_EXIT"),
    (0xB1, "KEY_SCROLLUP KEY_SCROLLDOWN"),
    (0xC8, "KEY_PLAYCD KEY_PAUSECD"),
    (0xCF, "KEY_PLAY KEY_FASTFORWARD KEY_BASSBOOST KEY_PRINT"),
    (0xD4, "KEY_CAMERA"),
    (0xD8, "KEY_CHAT KEY_SEARCH"),
    (0xE2, "KEY_MEDIA"),
    (0x110, "BTN_MOUSE BTN_RIGHT BTN_MIDDLE BTN_SIDE BTN_EXTRA BTN_FORWARD BTN_BACK BTN_TASK"),
    (
        0x130,
        "BTN_GAMEPAD BTN_EAST BTN_C BTN_NORTH BTN_WEST BTN_Z BTN_TL BTN_TR BTN_TL2 BTN_TR2 BTN_SELECT BTN_START "
        "BTN_MODE BTN_THUMBL BTN_THUMBR",
    ),
    (0x160, "KEY_OK KEY_SELECT KEY_GOTO"),
    (0x16C, "KEY_FAVORITES"),
    (0x189, "KEY_VIDEO KEY_DIRECTORY KEY_LIST KEY_MEMO KEY_CALENDAR KEY_RED"),
    (0x192, "KEY_CHANNELUP KEY_CHANNELDOWN"),
    (0x197, "KEY_NEXT"),
    (0x19C, "KEY_PREVIOUS"),
)
_NAMES: Final = {first + place: name for first, names in _RUNS for place, name in enumerate(names.split())}
_CODES: Final = {name: code for code, name in _NAMES.items()}


def key_name(code: int) -> str:
    """Return the name of a key, or "CODE_" and its number if it is not listed here."""
    return _NAMES.get(code, f"CODE_{code}")


def key_code(name: str) -> int:
    """Return the code of a key by its name, or by "CODE_" and its number.

    Raises:
        ValueError: there is no such key.
    """
    if name in _CODES:
        return _CODES[name]
    numbered = re.fullmatch(r"CODE_([0-9]{1,3})", name)
    if numbered is None or int(numbered[1]) > MOST:
        raise ValueError(name)
    return int(numbered[1])
