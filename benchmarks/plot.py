"""A plot with logarithmic axes as SVG, from nothing but text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

_WIDTH, _HEIGHT = 720, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 150, 40, 50
_COLOURS = {"stale start, ms": "#c2410c", "fresh start, ms": "#1d4ed8", "peak memory, MiB": "#15803d",
            "summary, tokens": "#7e22ce"}  # fmt: skip


class Measured(Protocol):
    """One size with what was measured at it."""

    @property
    def stories(self) -> int:
        """Stories in log and plan."""

    @property
    def fresh(self) -> float:
        """Seconds of a fresh start."""

    @property
    def stale(self) -> float:
        """Seconds of a stale start."""

    @property
    def peak(self) -> float:
        """MiB at most."""

    @property
    def after(self) -> int:
        """Tokens of the summary."""


def svg(points: Sequence[Measured]) -> str:
    """Return the plot of time, memory and tokens against the number of stories."""
    series = {
        "stale start, ms": [point.stale * 1000 for point in points],
        "fresh start, ms": [point.fresh * 1000 for point in points],
        "peak memory, MiB": [point.peak for point in points],
        "summary, tokens": [float(point.after) for point in points],
    }
    sizes = [float(point.stories) for point in points]
    every = [value for values in series.values() for value in values]
    across, up = _Axis(sizes, _LEFT, _WIDTH - _RIGHT), _Axis(every, _HEIGHT - _BOTTOM, _TOP)
    parts = [
        *_grid(across, up),
        *(_curve(name, sizes, values, across, up) for name, values in series.items()),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
        'font-size="12">\n<title>Time, memory and tokens against the number of stories</title>\n'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


class _Axis:
    """A logarithmic axis from the power of ten below the least value to the one above the greatest."""

    def __init__(self, values: Sequence[float], start: float, end: float) -> None:
        self.low, self.high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        self.start, self.end = start, end

    def at(self, value: float) -> float:
        """Return where a value stands."""
        share = (math.log10(value) - self.low) / max(self.high - self.low, 1)
        return self.start + share * (self.end - self.start)

    def powers(self) -> list[int]:
        """Return the powers of ten on it."""
        return [10**power for power in range(self.low, self.high + 1)]


def _grid(across: _Axis, up: _Axis) -> list[str]:
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    middle = (_LEFT + right) / 2
    name = "stories in log and plan"
    lines = [f'<text x="{middle}" y="{_HEIGHT - 12}" text-anchor="middle">{name}</text>']
    for value in across.powers():
        x = across.at(value)
        lines.append(f'<line x1="{x:.1f}" y1="{_TOP}" x2="{x:.1f}" y2="{bottom}" stroke="#e5e7eb"/>')
        lines.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{value:,}</text>')
    for value in up.powers():
        y = up.at(value)
        lines.append(f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="#e5e7eb"/>')
        lines.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value:,}</text>')
    return lines


def _curve(name: str, sizes: Sequence[float], values: Sequence[float], across: _Axis, up: _Axis) -> str:
    places = [(across.at(size), up.at(value)) for size, value in zip(sizes, values, strict=True)]
    colour, (x, y) = _COLOURS[name], places[-1]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places)
    return (
        f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>{dots}'
        f'<text x="{x + 8:.1f}" y="{y + 4:.1f}" fill="{colour}">{name}</text>'
    )
