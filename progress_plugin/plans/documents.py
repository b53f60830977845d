"""Read the plan in a file: JSON, JSON lines, simple YAML, or Markdown; and the list of the work in a log."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from progress_plugin.model.status import FINISHED, Status
from progress_plugin.model.work import Entry, Item, PlanDocument, all_items
from progress_plugin.plans.counted_phases import read_counted_phases
from progress_plugin.plans.json_plans import read_document, read_json_plans
from progress_plugin.plans.markdown_plans import read_markdown_plan
from progress_plugin.plans.plan_words import has_role
from progress_plugin.plans.simple_yaml import read_simple_yaml
from progress_plugin.text.bounds import shortened
from progress_plugin.text.markdown import front_matter_of

MAX_MARKDOWN_CHARS = 1_000_000
LOG_FORMAT = "log"  # the `format` of a plan that was read from a log
MAX_REPEATED = 0.1  # share of the items in a list of work that may have the name of an item before them
SECTION_DEPTH = 3  # parts of an item's key that name its section: path, title of the document, section


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
        plan = read_document(path, text, date, read_simple_yaml(text))
        plans = [plan] if plan else []
    else:
        plan = _read_markdown(path, text, date)
        plans = [plan] if plan else []
    for plan in plans:
        _make_keys_unique(plan.items, Counter())
    return plans


def _read_markdown(path: str, text: str, date: dt.date | None) -> PlanDocument | None:
    head = shortened(text, MAX_MARKDOWN_CHARS)
    plan = _read_front_matter(path, head, date) or read_markdown_plan(path, head, date)
    plan = plan or read_counted_phases(path, head, date)
    if plan and len(text) > len(head):
        line = head.count("\n") + 1
        problem = f"{path}: only its first {MAX_MARKDOWN_CHARS:,} characters are read, up to line {line}"
        plan = plan._replace(problems=(*plan.problems, f"{problem}; move finished work into another file"))
    return plan


def _read_front_matter(path: str, text: str, date: dt.date | None) -> PlanDocument | None:
    """Read the list of the work above a document, e.g. the `todos` of a plan of Cursor."""
    lines = front_matter_of(text.split("\n"))
    front_matter = "\n".join(["", *lines])  # an empty first line for the `---` above
    return read_document(path, front_matter, date, read_simple_yaml(front_matter)) if lines else None


def _make_keys_unique(items: Iterable[Item], seen: Counter[tuple[str, ...]]) -> None:
    """Add a number to the key of every item that has the key of an item before it."""
    for item in items:
        seen[item.key] += 1
        if seen[item.key] > 1:
            item.key = (*item.key, str(seen[item.key]))
        _make_keys_unique(item.children, seen)


def read_work_list(
    path: str, text: str, entries: Sequence[Entry], date: dt.date | None = None
) -> PlanDocument | None:
    """Read a log as a plan, or return None if it does not list all of the work.

    Items inside entries and below `Next steps` are left out. The others are a plan if some are done and some
    are open, and hardly any item is named twice: reports name an item again and again. If the log has dated
    entries, all items must be in one section.
    """
    if counted := read_counted_phases(path, text, date):
        return counted
    plan = read_markdown_plan(path, text, date, is_log=True)
    items = tuple(_without_entries(plan.items, entries)) if plan else ()
    if plan and any(entry.date for entry in entries):
        sections = {item.key[: min(SECTION_DEPTH, len(item.key) - 1)] for item in items}
        items = items if len(sections) == 1 else ()
    return plan._replace(format=LOG_FORMAT, items=items) if plan and _is_list_of_work(items) else None


def _is_list_of_work(items: Sequence[Item]) -> bool:
    leaves = [item for item in all_items(items) if not item.children]
    statuses = {item.reports[0].status for item in leaves}
    names = {(item.id or item.title).casefold() for item in leaves}
    is_named_once = len(leaves) - len(names) <= MAX_REPEATED * len(leaves)
    return is_named_once and Status.DONE in statuses and not statuses <= FINISHED


def _without_entries(items: Sequence[Item], entries: Sequence[Entry]) -> Iterator[Item]:
    for item in items:
        if _is_inside(item, entries) or any(
            has_role(part, "sections_of_next_steps") for part in item.key[1:-1]
        ):
            continue
        item.children = list(_without_entries(item.children, entries))
        yield item


def _is_inside(item: Item, entries: Sequence[Entry]) -> bool:
    """Return whether an item is inside an entry, or is itself an entry with a date."""
    around = [entry for entry in entries if entry.source.line <= item.source.line <= entry.source.last]
    return any(entry.date or entry.source.line < item.source.line for entry in around)
