"""Read the plan in a file: JSON, JSON lines, a flat YAML map of statuses, or Markdown."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterable

from progress_plugin.model.work import Item, PlanDocument
from progress_plugin.plans.counted_phases import read_counted_phases
from progress_plugin.plans.json_plans import read_json_plans, read_status_map
from progress_plugin.plans.markdown_plans import read_markdown_plan

_YAML_LINE = re.compile(
    r"(?P<indent> *)(?P<key>[^\s:#'\"][^:#]*?|\"[^\"]+\"|'[^']+'):(?:\s+(?P<value>[^#\n]*?))?\s*(?:\s#.*)?$"
)


def read_plans(
    path: str, text: str, date: dt.date | None = None, active_tag: str | None = None
) -> list[PlanDocument]:
    """Read the plans in a file; a Task Master file has one for each tag, the active tag first.

    `date` is that of the file: its last commit or modification. Raises BadInput if JSON cannot be parsed.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    suffix = path.rsplit(".", 1)[-1].lower()
    if suffix in {"json", "jsonl"}:
        plans = read_json_plans(path, text, date, active_tag)
    elif suffix in {"yaml", "yml"}:
        plan = read_status_map(path, text, date, read_flat_yaml(text))
        plans = [plan] if plan else []
    else:
        plan = read_markdown_plan(path, text, date) or read_counted_phases(path, text, date)
        plans = [plan] if plan else []
    for plan in plans:
        _make_keys_unique(plan.items, Counter())
    return plans


def _make_keys_unique(items: Iterable[Item], seen: Counter[tuple[str, ...]]) -> None:
    """Add its position to the key of every item that has the key of an item before it."""
    for item in items:
        seen[item.key] += 1
        if seen[item.key] > 1:
            item.key = (*item.key, str(seen[item.key]))
        _make_keys_unique(item.children, seen)


def read_plan(
    path: str, text: str, date: dt.date | None = None, active_tag: str | None = None
) -> PlanDocument | None:
    """Read the plan in a file, or None if the file does not list work. See `read_plans`."""
    return next(iter(read_plans(path, text, date, active_tag)), None)


def read_flat_yaml(text: str) -> dict[str, object]:
    """Read `key: value` lines and maps of them, by indentation. Other lines of YAML are ignored."""
    root: dict[str, object] = {}
    open_maps: list[tuple[int, dict[str, object]]] = [(-1, root)]
    for line in text.split("\n"):
        found = _YAML_LINE.fullmatch(line.rstrip())
        if found is None:
            continue
        indent, key = len(found["indent"]), found["key"].strip("\"'")
        while open_maps[-1][0] >= indent:
            open_maps.pop()
        value = (found["value"] or "").strip("\"' ")
        if value:
            open_maps[-1][1][key] = value
        else:
            inner: dict[str, object] = {}
            open_maps[-1][1][key] = inner
            open_maps.append((indent, inner))
    return root
