"""The network of `vision.quilt.network` in PyTorch, and the export of its weights for that module."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bench.quilts.photographed import VIEW_PX
from vision.quilt.network import BLOCKS, CHANNELS, HEADS, TRUNK_FILE, WEIGHTS_FILE, WIDTH

if TYPE_CHECKING:
    from pathlib import Path

_DILATIONS: Final = (1, 2, 4, 1)


torch: Any = importlib.import_module("torch")
nn: Any = torch.nn


def _conv(into: int, out: int, size: int = 3, stride: int = 1, dilation: int = 1) -> Any:
    pad = dilation * (size // 2)
    return nn.Sequential(nn.Conv2d(into, out, size, stride, pad, dilation, bias=False), nn.BatchNorm2d(out))


class _Residual(nn.Module):  # type: ignore[misc]
    def __init__(self, channels: int, dilation: int) -> None:
        super().__init__()
        self.conv = _conv(channels, channels, dilation=dilation)

    def forward(self, x: Any) -> Any:
        return torch.relu(x + self.conv(x))


class _Trunk(nn.Module):  # type: ignore[misc]
    """The convolutions; the last two channels of the output are logits of spots."""

    def __init__(self) -> None:
        super().__init__()
        first = [_conv(3, 12, 5, 2), nn.ReLU(), _conv(12, 24, 3, 2), nn.ReLU(), _Residual(24, 1), _Residual(24, 1)]
        second = [_conv(24, CHANNELS, 3, 2), nn.ReLU(), *(_Residual(CHANNELS, each) for each in _DILATIONS)]
        self.layers = nn.Sequential(*first, *second)
        self.spots = nn.Conv2d(CHANNELS, 2, 3, 1, 1)

    def forward(self, x: Any) -> Any:
        seen = self.layers(x)
        return torch.cat([seen, self.spots(seen)], 1)


class _Block(nn.Module):  # type: ignore[misc]
    """A transformer block: self-attention among tokens, and a feed-forward layer."""

    def __init__(self) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.asked, self.joined = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.wide, self.narrow = nn.Linear(WIDTH, 2 * WIDTH), nn.Linear(2 * WIDTH, WIDTH)

    def forward(self, x: Any) -> Any:
        count, tokens, _ = x.shape
        parts = self.asked(self.norm1(x)).reshape(count, tokens, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        seen = nn.functional.scaled_dot_product_attention(parts[0], parts[1], parts[2])
        x = x + self.joined(seen.transpose(1, 2).reshape(count, tokens, WIDTH))
        return x + self.narrow(torch.relu(self.wide(self.norm2(x))))


class Quilt(nn.Module):  # type: ignore[misc]
    """The convolutional trunk and the attention over tokens, as one module.

    For views (n, 3, VIEW_PX, VIEW_PX) it returns logits of cells (n, 81, 3), of edges (n, 180, 4) and of spots
    (n, 2, 44, 44).
    """

    def __init__(self) -> None:
        super().__init__()
        self.trunk = _Trunk()
        window = 16 * CHANNELS
        self.cell, self.beside, self.below = (nn.Linear(window, WIDTH) for _ in range(3))
        self.across, self.down = (nn.Parameter(torch.randn(19, WIDTH) * 0.3) for _ in range(2))
        self.blocks = nn.ModuleList(_Block() for _ in range(BLOCKS))
        self.norm = nn.LayerNorm(WIDTH)
        self.cells, self.edges = nn.Linear(WIDTH, 3), nn.Linear(WIDTH, 4)

    def forward(self, x: Any) -> Any:
        """Return the logits for a batch of views."""
        seen = self.trunk(x)
        features = seen[:, :CHANNELS]
        parts = [
            self.cell(_windows(features, 4, 4, 9, 9)) + self._places(1, 1, 9, 9),
            self.beside(_windows(features, 4, 2, 9, 10)) + self._places(1, 0, 9, 10),
            self.below(_windows(features, 2, 4, 10, 9)) + self._places(0, 1, 10, 9),
        ]
        tokens = torch.cat(parts, 1)
        for block in self.blocks:
            tokens = block(tokens)
        tokens = self.norm(tokens)
        return self.cells(tokens[:, :81]), self.edges(tokens[:, 81:]), seen[:, CHANNELS:]

    def _places(self, top: int, left: int, rows: int, columns: int) -> Any:
        down = self.down[top : top + 2 * rows : 2][:, None]
        across = self.across[left : left + 2 * columns : 2][None]
        return (down + across).reshape(1, rows * columns, WIDTH)


def _windows(features: Any, top: int, left: int, rows: int, columns: int) -> Any:
    """Return adjacent 4 x 4 windows, each flattened: shape (n, rows * columns, channels * 16)."""
    count, channels = features.shape[:2]
    part = features[:, :, top : top + 4 * rows, left : left + 4 * columns]
    cut = part.reshape(count, channels, rows, 4, columns, 4).permute(0, 2, 4, 1, 3, 5)
    return cut.reshape(count, rows * columns, channels * 16)


def write_network(net: Any, folder: Path) -> None:
    """Write the trunk as ONNX, with batch norms folded in, and the rest as an archive of arrays."""
    net.eval()
    torch.onnx.export(
        net.trunk,
        (torch.zeros(1, 3, VIEW_PX, VIEW_PX),),
        str(folder / TRUNK_FILE.name),
        input_names=["view"],
        output_names=["features"],
        dynamo=False,
        opset_version=13,
    )
    state = {name: value.numpy() for name, value in net.state_dict().items() if not name.startswith("trunk.")}
    arrays = {name: np.asarray(value, np.float16) for name, value in state.items()}
    np.savez_compressed(folder / WEIGHTS_FILE.name, allow_pickle=False, **arrays)
    net.train()
