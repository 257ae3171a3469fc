from __future__ import annotations

import copy
import json
import pickle
from typing import TYPE_CHECKING

import pytest

from companion.languages import (
    ENGLISH,
    LANGUAGES,
    Label,
    Sentence,
    all_of,
    any_of,
    counted,
    halves,
    listed,
    reason,
    render,
    said,
)

if TYPE_CHECKING:
    from collections.abc import Callable

RUSSIAN, PERSIAN = LANGUAGES["ru"], LANGUAGES["fa"]


def test_a_sentence_is_english_and_renders_in_other_languages() -> None:
    sentence = said("It is {name}’s turn.", name="Anna")
    assert sentence == "It is Anna’s turn."
    assert sentence.rendered(ENGLISH) == "It is Anna’s turn."
    assert sentence.rendered(RUSSIAN) == "Ходит Anna."
    assert sentence.rendered(PERSIAN) == "نوبتِ \u2068Anna\u2069 است."


def test_the_name_of_a_cell_has_the_reader_s_digits_as_the_edge_of_the_board_has() -> None:
    sentence = said("Already covered: {cells}.", cells=all_of([Label("E6"), Label("F5")]))
    assert sentence.rendered(RUSSIAN) == "Уже закрыто: E6 и F5."
    assert sentence.rendered(PERSIAN).count("\u2068E۶\u2069") == sentence.rendered(PERSIAN).count("\u2068F۵\u2069") == 1


def test_a_rendered_sentence_is_a_plain_string() -> None:
    for language in LANGUAGES.values():
        assert type(said("No games are stored.").rendered(language)) is str


def test_an_unknown_message_stays_english() -> None:
    assert said("Nobody has translated {this}.", this="it").rendered(RUSSIAN) == "Nobody has translated it."


@pytest.mark.parametrize(
    ("count", "english", "russian", "persian"),
    [
        (1, "has only 1 answer", "только 1\xa0ответ.", "فقط ۱ پاسخ"),
        (3, "has only 3 answers", "только 3\xa0ответа.", "فقط ۳ پاسخ"),
        (12, "has only 12 answers", "только 12\xa0ответов.", "فقط ۱۲ پاسخ"),
        (21, "has only 21 answers", "только 21\xa0ответ.", "فقط ۲۱ پاسخ"),
    ],
)
def test_a_count_has_the_language_s_form_and_digits(count: int, english: str, russian: str, persian: str) -> None:
    sentence = counted("The question has only {count} answer.", "The question has only {count} answers.", count)
    assert english in sentence
    assert russian in sentence.rendered(RUSSIAN)
    assert persian in sentence.rendered(PERSIAN)


def test_a_sentence_within_a_sentence_is_rendered_too() -> None:
    sentence = said("The look was cancelled. {turn}", turn=said("The game has ended."))
    assert sentence == "The look was cancelled. The game has ended."
    assert sentence.rendered(RUSSIAN) == "Просмотр отменён. Партия окончена."


def test_braces_in_a_name_are_no_placeholders() -> None:
    assert said("{name} begins.", name="{count} {").rendered(RUSSIAN) == "Первый ход: {count} {."


def test_a_placeholder_without_a_value_is_a_fault_at_once() -> None:
    with pytest.raises(KeyError):
        said("{name} begins.")


def test_tell_leaves_alone_what_is_no_sentence() -> None:
    assert render("Anna", RUSSIAN) == "Anna"
    assert render(said("No games are stored."), RUSSIAN) == "Партии не сохраняются."


def _pickled(sentence: Sentence) -> object:
    return pickle.loads(pickle.dumps(sentence))  # noqa: S301  # its own


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, _pickled])
def test_a_copy_is_rendered_too(copied: Callable[[Sentence], object]) -> None:
    sentence = said("{name} begins.", name="Anna")
    again = copied(sentence)
    assert isinstance(again, Sentence)
    assert again == sentence
    assert again.rendered(RUSSIAN) == "Первый ход: Anna."


def test_json_has_its_english() -> None:
    assert json.dumps(said("No games are stored.")) == '"No games are stored."'


def test_lists_are_joined_as_the_language_joins_them() -> None:
    words = ("A1", "B1", "C1")
    assert all_of(words) == "A1, B1 and C1"
    assert any_of(words) == "A1, B1 or C1"
    assert listed(words) == "A1, B1, C1"
    assert render(all_of(words), RUSSIAN) == "A1, B1 и C1"
    assert render(any_of(words[:2]), RUSSIAN) == "A1 или B1"
    assert render(all_of(words), PERSIAN).translate(dict.fromkeys([0x2068, 0x2069, 0x200F])) == "A1، B1 و C1"
    assert all_of(("A1",)) == any_of(("A1",)) == listed(("A1",)) == "A1"


@pytest.mark.parametrize("join", [all_of, any_of, listed])
def test_a_list_of_nothing_is_a_fault(join: Callable[[tuple[str, ...]], str]) -> None:
    with pytest.raises(ValueError, match="nothing"):
        join(())


def test_an_error_says_its_sentence_or_else_its_text() -> None:
    sentence = said("No games are stored.")
    assert reason(ValueError(sentence)) is sentence
    assert reason(ValueError("plain")) == "plain"
    assert reason(OSError(2, "No such file")) == "[Errno 2] No such file"
    assert reason(ValueError()) == ""


def _advice() -> Sentence:
    return said("{path}: {fault}; {do}", path="a.toml", fault=said("Permission denied"), do=said("Plug a camera in."))


def test_a_sentence_is_halved_in_each_language_for_itself() -> None:
    what, do = halves(_advice())
    assert (what, do) == ("a.toml: Permission denied", "Plug a camera in.")
    assert render(do, RUSSIAN) == "Подключите камеру."
    assert render(what, RUSSIAN) == "a.toml: нет прав доступа"
    assert render(do, PERSIAN) == "دوربینی وصل کنید."
    assert said("{fault}.", fault=what).rendered(RUSSIAN) == "a.toml: нет прав доступа."


def test_a_half_can_be_copied_and_has_no_parts_of_its_own() -> None:
    _, do = halves(_advice())
    again = copy.deepcopy(do)
    assert again == do
    assert render(again, RUSSIAN) == render(do, RUSSIAN)
    assert isinstance(do, Sentence)
    assert do.parts(RUSSIAN) == (("Подключите камеру.", None),)


@pytest.mark.parametrize(("says", "cut"), [("a; b", ("a", "b")), ("a; b; c", ("a; b", "c")), ("a", ("a", ""))])
def test_a_plain_text_is_halved_at_its_last_semicolon(says: str, cut: tuple[str, str]) -> None:
    assert halves(says) == cut
