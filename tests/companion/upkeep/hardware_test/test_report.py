from __future__ import annotations

from datetime import date

from companion.upkeep.hardware_test.course import Facts, StepOutcome, Verdict, connections, report_text

FACTS = Facts(
    "0.1.0",
    "Raspberry Pi 5 Model B",
    "Linux aarch64, Python 3.13.5",
    {"camera": "pi", "buttons": "gpio"},
    {"confirm button (GPIO17)": "to ground", "strip": "data at GPIO10", "camera": "pi, 1536x864"},
)
OUTCOMES = [
    StepOutcome(Verdict.OK, "confirm button (GPIO17)", "It responds."),
    StepOutcome(Verdict.OK, "strip", "Red looks red."),
    StepOutcome(Verdict.FAULT, "pixel 24", "Pixel 24 stays dark.", "Solder."),
    StepOutcome(Verdict.POOR, "camera", "Slow.", figures={"fps": 3.217}),
    StepOutcome(Verdict.OK, "mats", "Seen."),
]


def test_each_connection_has_the_worst_that_was_found_of_it() -> None:
    assert [verdict.value for verdict, _, _ in connections(FACTS, OUTCOMES)] == ["ok", "FAULT", "poor"]
    assert [verdict.value for verdict, _, _ in connections(FACTS, [])] == ["skipped"] * 3


def test_the_report_holds_what_a_bug_needs() -> None:
    text = report_text(FACTS, OUTCOMES, date(2026, 11, 20))
    for needed in ("2026-11-20", "Raspberry Pi 5", "driver gpio", "Pixel 24 stays dark.", "-> Solder.", "fps 3.217"):
        assert needed in text
