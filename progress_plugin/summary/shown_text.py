"""Make safe lines, and name items, entries and documents in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from posixpath import dirname

from progress_plugin.model.status import SHOWN_MARKS, SHOWN_WORDS, Status
from progress_plugin.model.work import Entry, Item, Line, Source
from progress_plugin.state.state import ItemState, State, Work
from progress_plugin.summary.own_log import PATH as OWN_PATH
from progress_plugin.text.safe_output import summary_item

MAX_TITLE_CHARS = 110
MAX_LINE_CHARS = 320
MAX_IDS = 3  # of one entry


def safe_line(text: str, *sources: Source, limit: int = MAX_LINE_CHARS) -> Line:
    """Return a line that can be shown: visible, without secrets and tags, shortened."""
    return Line(summary_item(text, limit), tuple(dict.fromkeys(sources)))


def name_item(item: Item) -> str:
    """Return id and title of an item, the id once."""
    title = summary_item(item.title, MAX_TITLE_CHARS)
    if not item.id or title.casefold().startswith(item.id.casefold()):
        return title
    return f"{item.id}: {title}" if title else item.id


def name_all(works: Sequence[Work]) -> Iterator[str]:
    """Yield the name of each piece of work; a document that states several in a row is named at the first."""
    last = ""
    for work in works:
        name = name_work(work)
        document = "" if work.item else name.removeprefix(work.text.rstrip(" ."))
        yield name.removesuffix(document) if document == last else name
        last = document


def name_work(work: Work) -> str:
    """Return the name of a piece of work, and the document that states it if it is not in a plan."""
    if work.item is not None:
        is_started = work.status not in {Status.PENDING, Status.BLOCKED, Status.DONE}
        words = [SHOWN_WORDS[work.status]] if is_started else []
        words += [f"attempt {work.item.attempts}"] if work.item.attempts else []
        return name_item(work.item) + (f" ({', '.join(words)})" if words else "")
    return f"{work.text.rstrip(' .')} ({name_document(work.source, is_outdated=work.is_outdated)})"


def name_document(source: Source, *, is_outdated: bool) -> str:
    """Return the path of a document (`logged DATE` for our log) and its writer; its date if outdated."""
    by = f" by {source.writer}" if source.writer else ""
    if source.path == OWN_PATH:
        return (f"logged {source.date}" if source.date else OWN_PATH) + by
    if is_outdated and source.date:
        return f"{source.path}{by} of {source.date}, before the newest entry"
    return f"{source.path}{by}"


def items_by_id(state: State, path: str) -> dict[str, ItemState]:
    """Map ids in lower case to the items of the plans in a log's folder, else to those of all plans.

    If several plans have an id, the item of the first plan counts.
    """
    beside = [each for each in state.plans if dirname(each.plan.path) == dirname(path)]
    items: dict[str, ItemState] = {}
    for plan in beside or state.plans:
        for each in (*plan.items, *plan.groups):
            if each.item.id:
                items.setdefault(each.item.id.casefold(), each)
    return items


def name_entry(entry: Entry, items: Mapping[str, ItemState]) -> str:
    """Return date, ids and title of an entry; without a title, that of its story in a plan."""
    ids = ", ".join(entry.ids[:MAX_IDS]) + (" …" if len(entry.ids) > MAX_IDS else "")
    ids = summary_item(ids, MAX_TITLE_CHARS)
    title = summary_item(entry.title or planned_title(entry, items), MAX_TITLE_CHARS)
    if ids and title.casefold().startswith(ids.casefold()):
        ids = ""
    name = f"{ids}: {title}" if ids and title else ids or title
    date = str(entry.date) if entry.date else ""
    return f"{date} {name}".strip() or f"Entry {entry.number}"


def planned_title(entry: Entry, items: Mapping[str, ItemState]) -> str:
    """Return the title of an entry's first story that is in a plan, or an empty text."""
    return next((items[name.casefold()].item.title for name in entry.ids if name.casefold() in items), "")


def status_of_entry(entry: Entry, items: Mapping[str, ItemState]) -> Status | None:
    """Return the status that an entry states, else the decided status of its story."""
    if entry.status:
        return entry.status
    known = [items[name.casefold()].status for name in entry.ids if name.casefold() in items]
    return known[0] if known else None


def mark_of(status: Status | None, evidence: str = "", writer: str = "") -> str:
    """Return ` (✓)`, ` (✓ by laptop-b; verified: pytest passed)`, or nothing if nothing is known."""
    by = f"by {writer}" if writer else ""
    if status is None:
        return f" ({by})" if by else ""
    mark = f"{SHOWN_MARKS[status]} {by}".rstrip()
    return f" ({mark}; {evidence})" if evidence else f" ({mark})"
