"""Test what drivers find on a fake machine in a folder, for `companion doctor`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hardware.diagnosis import Finding, Level, Machine
from hardware.drivers.espeak import EspeakDriver
from hardware.drivers.folder import FolderDriver
from hardware.drivers.gpio import GpioDriver
from hardware.drivers.keys import KeysDriver
from hardware.drivers.neopixel import NeoPixelDriver, boot_settings
from hardware.drivers.pi import PiCameraDriver
from hardware.drivers.piper import PiperDriver
from hardware.drivers.simulated import SimulatedCameraDriver
from hardware.drivers.webcam import WebcamDriver
from hardware.drivers.wled import WledDriver
from hardware.environment import Environment
from hardware.keys import Found
from tests.companion.upkeep.doctor.conftest import Plant, faults, levels

if TYPE_CHECKING:
    from collections.abc import Iterable

LISTING = "Available cameras\n-----------------\n0 : imx708 [4608x2592 10-bit RGGB] (/base/soc/i2c0mux/imx708@1a)\n"
NODES = {"/dev/media0": "", "/dev/video0": ""}
LISTS = {"rpicam-hello --list-cameras": LISTING}
CHIP = {"/dev/gpiochip0": ""}
INSTALLED = Environment(Path("/opt/quilt-companion"), Path("/usr"), writable=False, managed=True)
CLASH = ValueError("numpy.dtype size changed, may indicate binary incompatibility. Expected 96, got 88")
BOOT = "/boot/firmware/config.txt"


def importing(machine: Machine, *known: tuple[str, str], **errors: Exception) -> Machine:
    """A machine on which the import of given modules fails, with given versions of packages."""

    def load(module: str) -> object:
        if module in errors:
            raise errors[module]
        return object()

    return replace(machine, load=load, version=dict(known).get, environment=INSTALLED)


def cameras(found: Iterable[Finding]) -> list[Finding]:
    return [each for each in found if each.subject == "camera"]


def held_by(machine: Machine, pid: int, name: str, device: str) -> None:
    process = machine.root / "proc" / str(pid)
    (process / "fd").mkdir(parents=True)
    (process / "comm").write_text(f"{name}\n")
    (process / "fd" / "5").symlink_to(machine.path(device))


def test_a_camera_that_is_there_and_free(plant: Plant) -> None:
    found = cameras(PiCameraDriver().examine(importing(plant(NODES, LISTS))))
    assert levels(found) == ["ok", "ok"]
    assert "imx708" in found[1].title


def test_a_missing_camera_is_a_matter_of_its_ribbon_cable(plant: Plant) -> None:
    found = cameras(PiCameraDriver().examine(importing(plant())))
    assert faults(found) == ["There is no camera device."]
    assert "ribbon cable" in found[0].do


@pytest.mark.parametrize(
    ("device", "commands", "listed"),
    [("1", LISTS, "0 (imx708)"), ("0", {"libcamera-hello": "No cameras available!\n"}, "none")],
)
def test_a_camera_of_another_number(plant: Plant, device: str, commands: dict[str, str], listed: str) -> None:
    (title,) = faults(PiCameraDriver(device=device).examine(importing(plant(NODES, commands))))
    assert title == f"Camera {device} was not found; libcamera lists {listed}."


def test_a_camera_is_not_judged_without_a_program_that_lists_it(plant: Plant) -> None:
    assert levels(cameras(PiCameraDriver().examine(importing(plant(NODES))))) == ["ok", "note"]


def test_a_program_that_holds_the_camera_is_named(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.getpid", lambda: 90)
    machine = importing(plant(NODES, LISTS))
    held_by(machine, 812, "obs", "/dev/video0")
    held_by(machine, 90, "companion", "/dev/video0")
    held_by(machine, 77, "bash", "/etc/passwd")
    assert machine.holders(["/dev/video0"]) == ["obs (process 812)"]
    assert faults(PiCameraDriver().examine(machine)) == ["The camera is in use by obs (process 812)."]


def test_a_camera_that_this_user_may_not_use(plant: Plant) -> None:
    (title,) = faults(PiCameraDriver().examine(importing(plant(NODES, LISTS, closed=["/dev/video0"]))))
    assert title == "This user is not allowed to read and write /dev/video0."


def libraries(machine: Machine) -> Finding:
    return next(each for each in PiCameraDriver().examine(machine) if each.subject == "libcamera")


def test_the_clash_of_numpy_and_the_systems_simplejpeg_is_named_with_the_versions_that_fit(plant: Plant) -> None:
    found = libraries(importing(plant(), ("numpy", "2.2.0"), ("simplejpeg", "1.6.4"), picamera2=CLASH))
    assert found.level is Level.FAULT
    assert "numpy 2.2.0 and the system’s simplejpeg 1.6.4 are not compatible" in found.title
    assert found.do == INSTALLED.numpy_fitting()


def test_bindings_that_pip_does_not_have_come_from_apt(plant: Plant) -> None:
    found = libraries(importing(plant(), libcamera=ModuleNotFoundError("No module named 'libcamera'")))
    assert found.level is Level.FAULT
    assert found.do == "sudo apt install --no-install-recommends python3-picamera2"
    assert "libfoo.so" in libraries(importing(plant(), picamera2=OSError("libfoo.so: no such file"))).title
    assert libraries(importing(plant())).level is Level.OK


@pytest.mark.parametrize(("device", "node"), [("2", "/dev/video2"), ("/dev/video4", "/dev/video4")])
def test_a_webcam_is_looked_for_at_its_device(plant: Plant, device: str, node: str) -> None:
    webcam = WebcamDriver(device=device)
    assert faults(webcam.examine(plant(NODES))) == [f"{node} does not exist; video devices: /dev/video0."]
    assert levels(webcam.examine(plant({node: ""}))) == ["ok"]


def test_a_folder_must_be_there(plant: Plant, tmp_path: Path) -> None:
    assert levels(FolderDriver(path=tmp_path).examine(plant())) == ["ok"]
    assert faults(FolderDriver(path=tmp_path / "none").examine(plant()))


def test_a_simulated_camera_is_a_fault_and_real_ones_are_listed(plant: Plant) -> None:
    (simulated, there) = SimulatedCameraDriver().examine(plant(NODES))
    assert simulated.do == '[camera] driver = "folder", "network", "phone", "pi" or "webcam"'
    assert "/dev/video0" in there.title


def test_a_machine_without_any_camera_is_to_have_one_plugged_in(plant: Plant) -> None:
    _, missing = SimulatedCameraDriver().examine(plant())
    assert missing.title == "There is no video device on this machine."


def test_buttons_that_can_be_read(plant: Plant) -> None:
    assert levels(GpioDriver().examine(importing(plant(CHIP)))) == ["ok", "ok"]


def test_a_machine_without_pins(plant: Plant) -> None:
    assert faults(GpioDriver().examine(importing(plant()))) == ["There are no GPIO pins on this machine."]


def test_pins_that_this_user_may_not_use(plant: Plant) -> None:
    found = list(GpioDriver().examine(importing(plant(CHIP, closed=CHIP))))
    assert faults(found) == ["/dev/gpiochip0 cannot be used by this user."]
    assert "usermod -aG gpio" in found[0].do


def test_a_missing_library_of_the_pins(plant: Plant) -> None:
    missing = importing(plant(CHIP), gpiozero=ModuleNotFoundError("No module named 'gpiozero'"))
    assert "No module named 'gpiozero'" in faults(GpioDriver().examine(missing))[0]


def test_a_button_at_a_pin_of_i2c_is_noted_if_i2c_is_on(plant: Plant) -> None:
    wired = GpioDriver(confirm_pins=(2,))
    assert levels(wired.examine(importing(plant(CHIP)))) == ["ok", "ok"]
    found = list(wired.examine(importing(plant({**CHIP, "/dev/i2c-1": ""}))))
    assert levels(found) == ["ok", "ok", "note"]
    assert "GPIO2" in found[2].title


def pi(plant: Plant, model: str, files: dict[str, str]) -> Machine:
    return plant({"/proc/device-tree/model": model + "\0", **files})


def test_a_strip_that_can_be_driven(plant: Plant) -> None:
    machine = pi(plant, "Raspberry Pi 5 Model B", {"/dev/pio0": ""})
    assert levels(NeoPixelDriver().examine(machine)) == ["ok"]


def test_a_strip_that_cannot_be_driven_has_its_remedy(plant: Plant) -> None:
    (found,) = NeoPixelDriver().examine(pi(plant, "Raspberry Pi 5 Model B", {}))
    assert faults([found]) == ["The strip cannot be driven: /dev/pio0 is missing."]
    assert found.do.endswith("then restart the Pi")


def test_a_strip_on_another_machine_needs_a_pi(plant: Plant) -> None:
    (found,) = NeoPixelDriver().examine(plant())
    assert "a NeoPixel strip needs a Raspberry Pi" in found.title


@pytest.mark.parametrize("pin", [8, 9, 10, 11])
def test_a_button_at_a_pin_of_spi_is_a_fault(pin: int) -> None:
    used = GpioDriver(undo_pins=(pin,)).pins
    assert faults(NeoPixelDriver().examine_pins(used)) == [f"A push-button is at GPIO{pin}."]
    assert faults(WledDriver(wled_host="w").examine_pins(used)) == []


def test_a_strip_without_spi_takes_its_own_pin_only() -> None:
    used = GpioDriver(undo_pins=(8,)).pins
    assert faults(NeoPixelDriver(pin=21).examine_pins(used)) == []
    assert faults(NeoPixelDriver(pin=8).examine_pins(used)) == ["A push-button is at GPIO8."]


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("core_freq=250\n", True),
        ("[pi4]\ncore_freq=500\n[pi3]\ncore_freq = 250  # for the strip\n", True),
        ("[all]\ndtparam=spi=on\ncore_freq=250\n", True),
        ("#core_freq=250\n", False),
        ("[pi4]\ncore_freq=250\n", False),
        ("core_freq=250\n[all]\ncore_freq=400\n", False),
        ("", False),
    ],
)
def test_the_clock_of_a_strip_must_be_fixed(text: str, held: bool, plant: Plant) -> None:
    *_, found = NeoPixelDriver().examine(pi(plant, "Raspberry Pi 3 Model B Plus", {BOOT: text}))
    assert found.level is (Level.OK if held else Level.FAULT)
    if not held:
        assert found.do == f"printf '[all]\\ncore_freq=250\\n' | sudo tee -a {BOOT}, then restart the Pi"


def test_the_remedy_holds_after_any_section() -> None:
    assert boot_settings("[pi4]\narm_boost=1\n[all]\ncore_freq=250\n", ("pi3",)) == {"core_freq": "250"}


def test_the_clock_on_older_systems_and_on_unknown_ones(plant: Plant) -> None:
    model = "Raspberry Pi 4 Model B Rev 1.4"
    *_, found = NeoPixelDriver().examine(pi(plant, model, {"/boot/config.txt": "core_freq_min=500\n"}))
    assert found.level is Level.OK
    (plant().root / "boot" / "config.txt").unlink()
    *_, found = NeoPixelDriver().examine(pi(plant, model, {}))
    assert found.level is Level.NOTE
    assert "core_freq_min=500" in found.do


PAD = Found("/dev/input/event3", "Number pad", 3, 0x1A2C, 0x0E24, "usb-1", frozenset({96}))
KEYS = KeysDriver(keys=("confirm KEY_KPENTER 1a2c:0e24", "undo KEY_VOLUMEUP 05ac:0255"))


@pytest.fixture
def plugged(monkeypatch: pytest.MonkeyPatch) -> Callable[[Found], None]:
    """A function that connects one input device."""

    def plug_in(found: Found) -> None:
        monkeypatch.setattr("hardware.keys.LinuxInputBus.found", lambda _: iter([found]))

    return plug_in


def test_keys_that_are_there_and_keys_that_are_waited_for(plugged: Callable[[Found], None]) -> None:
    plugged(PAD)
    used, missing = KEYS.examine(Machine(reaches=lambda path: path == Path(PAD.path)))
    assert (used.level, used.title) == (Level.OK, "Number pad (/dev/input/event3) can be used.")
    assert (missing.level, missing.title) == (Level.NOTE, "No device 05ac:0255 is connected.")
    refused, _ = KEYS.examine(Machine(reaches=lambda _: False))
    assert refused.level is Level.FAULT
    assert "sudo usermod -aG input" in refused.do


def test_a_device_without_the_key_is_another_one(plugged: Callable[[Found], None]) -> None:
    plugged(replace(PAD, keys=frozenset({272})))
    assert levels(KEYS.examine(Machine())) == ["note", "note"]


def test_espeak_is_installed_or_not(tmp_path: Path) -> None:
    (found,) = EspeakDriver().examine(Machine(tmp_path, " ".join))
    assert (found.level, found.title) == ("ok", "espeak-ng is installed.")
    (found,) = EspeakDriver().examine(Machine(tmp_path, lambda _: None))
    assert (found.level, found.title) == ("note", "espeak-ng is not installed.")
    assert found.do == "sudo apt install espeak-ng"


def test_piper_with_a_voice(tmp_path: Path) -> None:
    (tmp_path / "fa_IR-amir-medium.onnx").touch()
    (tmp_path / "fa_IR-amir-medium.onnx.json").write_text('{"audio": {"sample_rate": 22050}}', encoding="utf-8")
    (found,) = PiperDriver(voices=tmp_path, language="fa").examine(Machine(tmp_path, " ".join))
    assert (found.level, found.title) == ("ok", "piper is installed, with the voice fa_IR-amir-medium.")


@pytest.mark.parametrize(
    ("missing", "says", "do"),
    [
        (
            "piper",
            "piper is not installed.",
            "sudo python3 -m venv /opt/piper && sudo /opt/piper/bin/pip install piper-tts && "
            "sudo ln -s /opt/piper/bin/piper /usr/local/bin/",
        ),
        ("aplay", "aplay is not installed.", "sudo apt install alsa-utils"),
        (
            "",
            "{folder}: no voice of piper for ru",
            "sudo /opt/piper/bin/python3 -m piper.download_voices --data-dir {folder}",
        ),
    ],
)
def test_piper_names_what_it_lacks(tmp_path: Path, missing: str, says: str, do: str) -> None:
    machine = Machine(tmp_path, lambda command: None if command[0] == missing else "")
    (found,) = PiperDriver(voices=tmp_path, language="ru").examine(machine)
    assert (found.level, found.title, found.do) == ("note", says.format(folder=tmp_path), do.format(folder=tmp_path))
