"""Read the plan in a file: JSON, JSON lines, simple YAML, or Markdown."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from progress_plugin.model.work import Item, PlanDocument
from progress_plugin.plans.counted_phases import read_counted_phases
from progress_plugin.plans.json_plans import read_json_plans, read_status_map
from progress_plugin.plans.markdown_plans import read_markdown_plan
from progress_plugin.plans.simple_yaml import read_simple_yaml
from progress_plugin.text.bounds import shortened

MAX_MARKDOWN_CHARS = 1_000_000


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
        plan = read_status_map(path, text, date, read_simple_yaml(text))
        plans = [plan] if plan else []
    else:
        plan = _read_markdown(path, text, date)
        plans = [plan] if plan else []
    for plan in plans:
        _make_keys_unique(plan.items, Counter())
    return plans


def _read_markdown(path: str, text: str, date: dt.date | None) -> PlanDocument | None:
    head = shortened(text, MAX_MARKDOWN_CHARS)
    plan = read_markdown_plan(path, head, date) or read_counted_phases(path, head, date)
    if plan and len(text) > len(head):
        line = head.count("\n") + 1
        problem = f"{path}: only its first {MAX_MARKDOWN_CHARS:,} characters are read, up to line {line}"
        plan = replace(plan, problems=(*plan.problems, f"{problem}; move finished work into another file"))
    return plan


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
