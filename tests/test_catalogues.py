import json
from gettext import GNUTranslations
from pathlib import Path

from companion.languages.compiling import COMPILED, SPOKEN_BY_PAGE, compile_catalogue

CATALOGUE = """
msgid ""
msgstr ""
"Language: ru\\n"
"Plural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>20) ? 1 : 2);\\n"

#: companion/cli/play.py
msgid "terminal"
msgstr "терминал"

#: companion/cli/play.py companion/web/static/js/texts.js
msgid "both"
msgstr "оба"

#: companion/web/static/js/texts.js
msgctxt "lamp"
msgid "Light"
msgstr "Свет"

#: companion/web/static/js/texts.js
msgid "{count} spool"
msgid_plural "{count} spools"
msgstr[0] "{count} катушка"
msgstr[1] "{count} катушки"
msgstr[2] "{count} катушек"

#: companion/web/static/js/hall/texts.js
#: companion/cli/hall.py
msgid "hall"
msgstr "зал"

#: companion/web/static/js/texts.js
msgid "untranslated"
msgstr ""
"""


def test_the_page_gets_its_part_and_the_program_all(tmp_path: Path) -> None:
    path = tmp_path / "companion.po"
    path.write_text(CATALOGUE, encoding="utf-8")
    compile_catalogue(path)
    spoken = json.loads((tmp_path / SPOKEN_BY_PAGE).read_text("utf-8"))
    assert spoken["texts"] == {
        "both": "оба",
        "lamp\u0004Light": "Свет",
        "{count} spool": ["{count} катушка", "{count} катушки", "{count} катушек"],
    }
    assert spoken["others"] == {"hall": "зал"}
    with (tmp_path / COMPILED).open("rb") as stream:
        terminal = GNUTranslations(stream)
    assert terminal.gettext("terminal") == "терминал"
    assert [terminal.ngettext("{count} spool", "{count} spools", count) for count in range(200)] == [
        spoken["texts"]["{count} spool"][int(form)] for form in spoken["plurals"]
    ]
