"""The report as Markdown, and its place in a document."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterable
from pathlib import Path


def middle(values: Iterable[float]) -> float:
    """Return the median."""
    return statistics.median(values)


def verdict(value: float, bound: float | None) -> str:
    """Return whether a bound is met, judged as the figure is shown: by two places."""
    if bound is None:
        return ""
    return "met" if round(value, 2) <= bound else "**missed**"


def fill(path: Path, parts: dict[str, str]) -> None:
    """Replace the parts of a document that stand between `<!-- name -->` and `<!-- end -->`."""
    text = path.read_text("utf-8")
    for name, part in parts.items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        text, count = pattern.subn(lambda match, part=part: match[1] + part + "\n" + match[2], text)
        if not count:
            raise SystemExit(f"{path} has no place for {name}: <!-- {name} --> … <!-- end -->")
    path.write_text(text, "utf-8")
