"""What was recalled, as text for a terminal or a model and as JSON. Passages are stored as safe text."""

from __future__ import annotations

from typing import Any

from progress_plugin.recall.index import MEMORY, SESSION
from progress_plugin.recall.search import Hit
from progress_plugin.text.bounds import NAMED, counted, shortened
from progress_plugin.usecases.recalling.recall import Recalled

MAX_TEXT_CHARS = 600  # `--json` has all that is indexed
MAX_NAME_CHARS = 200
NOTHING_RECORDED = {
    "blocker": "Nothing is recorded as blocked.",
    "next": "Nothing is recorded as the next step.",
    "command": "No command for it is recorded.",
}


def recall_text(found: Recalled) -> str:
    """Return what the state says, each hit with its place before it, or that nothing fits; then notes."""
    lines = _state_lines(found)
    lines += map(hit_line, found.hits)
    lines = lines or [nothing(found)]
    return "\n".join([*lines, *notes(found)])


def nothing(found: Recalled) -> str:
    """Return that nothing fits, in one line; it says what the filters have left out."""
    if not found.searched:
        return "There is no history yet."
    where = f"{counted(found.searched, 'passage')} searched"
    filters = f" with {', '.join(found.filters)}" if found.filters else ""
    return f"Nothing in the history fits{filters} ({where})."


def hit_line(hit: Hit) -> str:
    """Return a hit as `progress.md:41 (2026-11-20, US-012 done, gotcha): text`, with its context below."""
    path = hit["file"] or (f"{SESSION} {hit[SESSION]}" if SESSION in hit else MEMORY)
    place = f"{path}:{hit['line']}" if hit["line"] else path
    story = f"{hit['stories'][0]} {hit['story_status'] or ''}" if hit["stories"] else ""
    by = f"by {hit['writer']}" if hit["writer"] else ""
    facts = ((hit["when"] or "")[:10], story.rstrip(), f"{hit['kind']} {hit['blocker'] or ''}".rstrip(), by)
    known = ", ".join(filter(None, facts))
    lines = [f"{_cut(place, MAX_NAME_CHARS)} ({_cut(known, MAX_NAME_CHARS)}): {_cut(hit['text'])}"]
    if hit["later"]:
        lines.append(f"  superseded by: {_cut(hit['later'])}")
    if hit["around"]:
        lines.append(f"  context: {_cut(hit['around'])}")
    return "\n".join(lines)


def as_objects(found: Recalled) -> dict[str, Any]:
    """Return what was recalled as the members of a JSON object."""
    state = {"state": _state_lines(found)} if found.topic else {}
    messages = [*([] if found.hits or found.topic else [nothing(found)]), *notes(found)]
    hits = {"count": len(found.hits), "hits": found.hits}
    return {**hits, **state, "searched": found.searched, "notes": messages}


def _state_lines(found: Recalled) -> list[str]:
    """Return what the state says on the topic of a question, or that neither it nor a hit answers."""
    is_answered = bool(found.state) or (found.topic == "command" and bool(found.hits))
    return list(found.state) if is_answered or not found.topic else [NOTHING_RECORDED[found.topic]]


def notes(found: Recalled) -> list[str]:
    """Return what a reader must know of the search, one sentence each."""
    messages = []
    if found.unknown and found.hits:
        messages.append(f"Nothing in the history names {', '.join(found.unknown[:NAMED])}.")
    if not found.has_all_arrivals:
        messages.append(
            "Not all that git has brought of others' history was searched: there was no time to take it into "
            "the log; ask again."
        )
    return messages


def _cut(text: str, most: int = MAX_TEXT_CHARS) -> str:
    return text if len(text) <= most else shortened(text, most - 1, "…")
