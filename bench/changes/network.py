"""The network in PyTorch, and its export to the file that OpenCV runs."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

from vision.geometry import VIEW_PX
from vision.quilt.changes import CHANNELS

if TYPE_CHECKING:
    from pathlib import Path

_WIDTHS: Final = (12, 24, 40)
# The dilations of the trunk's layers, in windows; their receptive field is three cells around each window.
_DILATIONS: Final = (1, 2, 4, 2)
# The version of ONNX's operators, supported by OpenCV 4.10.
_OPSET: Final = 12


def new_network() -> Any:
    """Return an untrained network, from (n, CHANNELS, height, width) to log-odds (n, height / 8, width / 8)."""
    torch: Any = importlib.import_module("torch")
    nn, act = torch.nn, torch.nn.functional.relu

    class Changes(nn.Module):  # type: ignore[misc, name-defined]  # PyTorch is not there when types are checked
        def __init__(self) -> None:
            super().__init__()
            first, second, third = _WIDTHS
            self.halved = nn.Conv2d(CHANNELS, first, 4, stride=2, padding=1)
            self.quartered = nn.Conv2d(first, second, 3, stride=2, padding=1)
            self.windowed = nn.Conv2d(second, third, 3, stride=2, padding=1)
            self.trunk = nn.ModuleList([nn.Conv2d(third, third, 3, padding=by, dilation=by) for by in _DILATIONS])
            self.head = nn.Conv2d(third, 1, 1)

        def forward(self, shown: Any) -> Any:
            seen = act(self.windowed(act(self.quartered(act(self.halved(shown))))))
            for layer in self.trunk:
                seen = act(layer(seen)) + seen
            return self.head(seen)[:, 0]

    return Changes().to(memory_format=torch.channels_last)


def fitted_network(path: Path) -> Any:
    """Return the network of a file that `export` has written, to be fitted further."""
    torch: Any = importlib.import_module("torch")
    onnx: Any = importlib.import_module("onnx")
    network, graph = new_network(), onnx.load(str(path)).graph
    # In the order of the layers; their names are those of the program that has written the file.
    stored = [torch.from_numpy(onnx.numpy_helper.to_array(each).copy()) for each in graph.initializer]
    network.load_state_dict(dict(zip(network.state_dict(), stored, strict=True)))
    return network


def export(network: Any, path: Path) -> None:
    """Write a fitted network as ONNX for OpenCV."""
    torch: Any = importlib.import_module("torch")
    network.eval()
    shown = torch.zeros(1, CHANNELS, VIEW_PX, VIEW_PX)
    torch.onnx.export(
        network, shown, str(path), opset_version=_OPSET, input_names=["looks"], output_names=["changed"], dynamo=False
    )
