"""Test what the first start changes in a card's files; its installation is tested in chroots, by hand."""

from __future__ import annotations

import os
import re
import subprocess
import textwrap
from pathlib import Path

import pytest

from hardware.drivers.neopixel import boot_settings
from hardware.environment import board_of

SCRIPT = Path(__file__).parents[2] / "packaging" / "first-boot.sh"
USER_DATA = SCRIPT.with_name("user-data")
CONFIG = "boot/firmware/config.txt"
BEFORE = "dtparam=audio=on\n[cm4]\notg_mode=1\n"


def started(root: Path, model: str, *, name: str | None = "quilt", before: str = "raspberrypi") -> str:
    """Run a card's first start and return its `config.txt`."""
    (root / "boot" / "firmware").mkdir(parents=True, exist_ok=True)
    (root / "etc").mkdir(exist_ok=True)
    config = root / CONFIG
    if not config.exists():
        config.write_text(BEFORE)
        (root / "etc" / "hostname").write_text(f"{before}\n")
        (root / "etc" / "hosts").write_text("127.0.0.1\tlocalhost\n127.0.1.1\traspberrypi\n")
    (root / "model").write_text(model + "\0")
    environ = {**os.environ, "ROOT": str(root), "MODEL": str(root / "model")}
    environ |= {} if name is None else {"NAME": name}
    subprocess.run(["/bin/sh", SCRIPT], env=environ, check=True, capture_output=True)
    return config.read_text()


@pytest.mark.parametrize(
    "model",
    [
        "Raspberry Pi 4 Model B Rev 1.4",
        "Raspberry Pi 3 Model B Plus Rev 1.3",
        "Raspberry Pi Zero 2 W Rev 1.0",
        "Raspberry Pi Compute Module 4 Rev 1.0",
    ],
)
def test_spi_and_its_clock_are_set_as_the_doctor_wants_them(tmp_path: Path, model: str) -> None:
    text = started(tmp_path, model)
    board = board_of(model)
    assert board is not None
    assert board.core_clock is not None
    key, value = board.core_clock
    settings = boot_settings(text, board.filters)
    assert (settings["dtparam"], settings[key]) == ("spi=on", str(value))
    assert text.startswith(BEFORE)


@pytest.mark.parametrize("model", ["Raspberry Pi 5 Model B Rev 1.0", "Raspberry Pi Compute Module 5", "ThinkPad"])
def test_a_board_without_spi_keeps_its_settings(tmp_path: Path, model: str) -> None:
    assert started(tmp_path, model) == BEFORE


def test_a_second_start_changes_nothing(tmp_path: Path) -> None:
    once = started(tmp_path, "Raspberry Pi 4 Model B")
    hosts = (tmp_path / "etc" / "hosts").read_text()
    assert started(tmp_path, "Raspberry Pi 4 Model B") == once
    assert (tmp_path / "etc" / "hosts").read_text() == hosts == "127.0.0.1\tlocalhost\n127.0.1.1\tquilt\n"


@pytest.mark.parametrize(("name", "called"), [("quilt", "quilt"), ("", "raspberrypi")])
def test_the_machine_is_called_as_the_page_is_to_be_found_unless_it_is_not_to_be(
    tmp_path: Path, name: str, called: str
) -> None:
    started(tmp_path, "Raspberry Pi 5", name=name)
    assert (tmp_path / "etc" / "hostname").read_text().strip() == called


def test_a_name_that_its_owner_gave_is_kept_and_another_is_not_taken_back_by_cloud_init(tmp_path: Path) -> None:
    for name, called in (("raspberrypi", "quilt"), ("playroom", "playroom")):
        root = tmp_path / name
        (root / "etc" / "cloud").mkdir(parents=True)
        started(root, "Raspberry Pi 5", name=None, before=name)
        assert (root / "etc" / "hostname").read_text().strip() == called
        kept = root / "etc" / "cloud" / "cloud.cfg.d" / "99-quilt-companion.cfg"
        assert kept.exists() == (called != name)
        assert not kept.exists() or kept.read_text().endswith("\npreserve_hostname: true\n")
    started(tmp_path / "no-cloud-init", "Raspberry Pi 5")
    assert not (tmp_path / "no-cloud-init" / "etc" / "cloud").exists()


# The keys that Raspberry Pi Imager writes into user-data (its customization_generator.cpp): of two, one is lost.
IMAGERS = {
    "hostname", "manage_etc_hosts", "packages", "apt", "timezone", "keyboard", "enable_ssh", "users", "ssh_pwauth",
    "rpi", "runcmd",
}  # fmt: skip


def block() -> str:
    """Return the shell script that the card's user-data gives to cloud-init, as YAML reads it."""
    lines = USER_DATA.read_text().splitlines()
    keys = [line for line in lines if line and not line.startswith((" ", "#", "-"))]
    assert lines[0] == "#cloud-config"
    assert keys == ["bootcmd:"]
    assert "bootcmd" not in IMAGERS
    start = lines.index("  - |") + 1
    return textwrap.dedent("\n".join(lines[start:])) + "\n"


class Card:
    """A card's boot in a folder, with stand-ins for the programs that it calls, which note their calls."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.programs = root / "programs"
        for folder in (
            self.programs,
            root / "boot/firmware",
            root / "usr/local/sbin",
            root / "usr/local/src",
            root / "etc",
        ):
            folder.mkdir(parents=True)
        (root / "etc/hostname").write_text("playroom\n")
        for name in ("apt-get", "systemctl", "systemd-run", "sync", "git"):
            self.program(name)

    def program(self, name: str, does: str = "") -> None:
        file = self.programs / name
        file.write_text(f'#!/bin/sh\necho "{name} $*" >> {self.root}/calls\n{does}\n')
        file.chmod(0o755)

    def run(self, script: str) -> int:
        moved = re.sub(r"(?<![\w.])/(boot|usr/local|opt|etc)/", rf"{self.root}/\1/", script)
        moved = moved.replace("boot=/boot\n", f"boot={self.root}/boot\n").replace("=/boot/f", f"={self.root}/boot/f")
        environ = {"PATH": f"{self.programs}:{os.environ['PATH']}"}
        return subprocess.run(["/bin/sh", "-c", moved], env=environ, check=False).returncode

    def setup(self) -> int:
        return self.run((self.root / "usr/local/sbin/quilt-companion-setup").read_text())

    @property
    def calls(self) -> str:
        return (self.root / "calls").read_text()

    @property
    def log(self) -> str:
        return (self.root / "boot/firmware/quilt-companion.log").read_text()


FETCHES = 'for last; do :; done; mkdir -p "$last/packaging"; echo "echo SET UP" > "$last/packaging/first-boot.sh"'


def test_a_card_installs_in_the_background_until_it_succeeds_and_says_so_on_its_boot_partition(tmp_path: Path) -> None:
    card = Card(tmp_path / "card")
    assert card.run(block()) == 0
    assert re.search(
        r"systemd-run .*--no-block .*Restart=on-failure .*RestartSec=60 .*quilt-companion-setup$", card.calls, re.M
    )
    card.program("git", 'echo "fatal: unable to access ADDRESS" >&2; exit 128')
    assert card.setup() == 128
    assert "fatal: unable to access ADDRESS\n" in card.log
    assert card.log.endswith("That failed. It is tried again in a minute; is the Pi connected to the network?\n")
    assert "reboot" not in card.calls
    card.program("git", FETCHES)
    assert card.setup() == 0
    assert "SET UP\n" in card.log
    assert card.log.endswith("The quilt companion is installed. The page: http://playroom.local:8080/\n")
    assert card.calls.endswith("systemctl --no-block reboot\nsync \n") or "systemctl --no-block reboot" in card.calls


def test_a_download_that_was_cut_off_is_begun_anew(tmp_path: Path) -> None:
    card = Card(tmp_path / "card")
    card.run(block())
    (card.root / "usr/local/src/quilt-companion.new").mkdir()
    card.program("git", f'for last; do :; done; [ ! -e "$last" ] || exit 128; {FETCHES}')
    assert card.setup() == 0


def test_an_installed_card_is_left_alone_at_later_boots(tmp_path: Path) -> None:
    card = Card(tmp_path / "card")
    program = card.root / "opt/quilt-companion/bin/companion"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert card.run(block()) == 0
    assert not (card.root / "calls").exists()


def test_the_card_and_the_script_agree_on_their_places() -> None:
    assert "source=/usr/local/src/quilt-companion" in SCRIPT.read_text()
    condition = re.search(r"if \[ ! -x (\S+) \]", USER_DATA.read_text())
    assert condition is not None
    assert f"ln -sf {condition[1]} " in SCRIPT.read_text()
