from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

import pytest

from hardware.environment import this_environment, vendor_module
from hardware.ports import HardwareError

if TYPE_CHECKING:
    from pathlib import Path


def test_an_installed_module_is_imported() -> None:
    assert vendor_module("math", "never") is math


def test_a_missing_module_is_named_with_the_command_that_installs_it() -> None:
    with pytest.raises(HardwareError) as caught:
        vendor_module("no_such_vendor", "sudo apt install python3-vendor")
    assert str(caught.value) == (
        "the Python module no_such_vendor is missing; install it: sudo apt install python3-vendor"
    )


@pytest.mark.parametrize("raised", ["ValueError('no such board\\nsecond line')", "NotImplementedError()"])
def test_a_module_that_breaks_on_import_is_one_line(
    raised: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_vendor.py").write_text(f"raise {raised}\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(HardwareError) as caught:
        vendor_module("broken_vendor", "install it")
    assert str(caught.value).startswith("the Python module broken_vendor cannot be used here: ")
    assert str(caught.value).endswith("; install it: install it")
    assert "\n" not in str(caught.value)
    assert "broken_vendor" not in sys.modules


def test_a_module_built_for_another_numpy_needs_another_numpy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "old_vendor.py").write_text("raise ValueError('numpy.dtype size changed, may indicate...')\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(HardwareError, match="was built for a different numpy") as caught:
        vendor_module("old_vendor", "sudo apt install python3-vendor")
    assert str(caught.value).endswith(this_environment().numpy_fitting())
