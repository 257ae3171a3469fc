from __future__ import annotations

import math
import sys
from pathlib import Path

import pytest

from hardware.ports import HardwareError
from hardware.vendors import vendor_module


def test_what_is_there_is_imported() -> None:
    assert vendor_module("math", "never") is math


def test_what_is_missing_is_named_with_the_command_that_installs_it() -> None:
    with pytest.raises(HardwareError) as caught:
        vendor_module("no_such_vendor", "sudo apt install python3-vendor")
    assert str(caught.value) == (
        "the Python module no_such_vendor is missing; install it: sudo apt install python3-vendor"
    )


@pytest.mark.parametrize("raised", ["ValueError('numpy.dtype size changed\\nsecond line')", "NotImplementedError()"])
def test_what_breaks_on_import_is_one_line(raised: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_vendor.py").write_text(f"raise {raised}\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(HardwareError) as caught:
        vendor_module("broken_vendor", "mend it")
    assert str(caught.value).startswith("the Python module broken_vendor cannot be used here: ")
    assert str(caught.value).endswith("; install it: mend it")
    assert "\n" not in str(caught.value)
    assert "broken_vendor" not in sys.modules
