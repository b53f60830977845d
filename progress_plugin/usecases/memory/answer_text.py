"""The answers of the memory tools as text, for a model and a terminal."""

from __future__ import annotations

from typing import Any

from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line

MAX_TITLE_CHARS = 80
MAX_LIST_CHARS = 400
HISTORY_HEADING = "In the history, beside the observations:"


def progress_text(answer: dict[str, Any]) -> str:
    """Return the answer of mem_progress; a document is in it byte for byte."""
    if answer.get("saved"):
        return _saved(answer)
    if not answer["found"]:
        near = one_line(", ".join(answer["similar"]), MAX_LIST_CHARS)
        return f"No progress document found for project {_named(answer['project'])}" + (
            f". Similar: {near}" if near else ""
        )
    by = f" by {one_line(answer['by'], MAX_LIST_CHARS)}" if answer["by"] else ""
    return (
        f"# Progress: {_named(answer['project'])}\n\n{answer['text']}\n\n---\n"
        f"Revision {answer['revision']}, id {answer['id']}, updated {answer['updated_at']} UTC{by}"
    )


def compact_text(answer: dict[str, Any]) -> str:
    """Return the answer of mem_compact."""
    if answer["mode"] == "execute":
        summary = f"summary {answer['summary_id']}" if answer["summary_id"] else "no summary"
        rows = f"{answer['before']} -> {counted(answer['after'], 'row')}"
        return f"Compacted {counted(answer['deleted'], 'observation')}, left {summary}: {rows}."
    number = answer["older_than_days"]
    days = f"{number:g} day{'' if number == 1 else 's'}"
    head = f"{answer['count']} of {counted(answer['total'], 'observation')} not touched for {days}"
    return "\n".join([head, *map(_row, answer["observations"]), answer["hint"]])


def save_text(answer: dict[str, Any]) -> str:
    """Return the answer of mem_save."""
    again = " (it was there already)" if answer["duplicate"] else ""
    return f"Saved observation {answer['id']}, revision {answer['revision']}{again}.{_removed(answer)}"


def search_text(answer: dict[str, Any]) -> str:
    """Return the answer of mem_search: each observation with a head line and its content."""
    notes = [one_line(answer["note"])] if "note" in answer else []
    history = answer.get("history", [])
    if not answer["observations"] and not history:
        nothing = f"Nothing found for {_named(answer['query'])!r} in {_named(answer['project'])}."
        return "\n\n".join([*notes, nothing])
    listed = [f"{_row(found)}\n{found['content']}" for found in answer["observations"]]
    if not answer["query"]:
        listed.insert(0, f"The newest of {_named(answer['project'])}; the query has no words.")
    if history:
        from progress_plugin.usecases.recalling.recall import hit_line  # noqa: PLC0415 - search alone

        listed.append("\n".join([HISTORY_HEADING, *map(hit_line, history)]))
    return "\n\n".join([*notes, *listed])


def restore_text(answer: dict[str, Any]) -> str:
    """Return the answer of `memory restore` for a compaction."""
    kept = answer["superseded"]
    left = f"; {counted(len(kept), 'stays', 'stay')} deleted, newer ones have their topic" if kept else ""
    restored = counted(len(answer["restored"]), "observation")
    return f"Restored {restored} of compaction {answer['compaction']}{left}."


def _saved(answer: dict[str, Any]) -> str:
    parts = [
        f"Saved progress of {_named(answer['project'])}: revision {answer['revision']}, id {answer['id']}."
    ]
    if answer["merged_with"] is not None:
        parts.append(f"Merged with revision {answer['merged_with']}; read it before you go on.")
    if not answer["shown_at_start"]:
        name = answer["session_start_reads"]
        parts.append(
            "There is no project here, so no session start shows it."
            if name is None
            else f"Session start does not show it: it reads project {_named(name)!r} without a namespace."
        )
    return " ".join(parts) + _removed(answer)


def _named(name: str) -> str:
    return one_line(name, MAX_TITLE_CHARS)


def _removed(answer: dict[str, Any]) -> str:
    count = answer["removed_parts"]
    return f" {counted(count, 'private or secret part')} left out." if count else ""


def _row(found: dict[str, Any]) -> str:
    when = found.get("created_at") or found.get("updated_at")
    by = [f"by {found['by']}"] if found.get("by") else []
    shown = (found["id"], found["type"], found["title"], found["project"] or "-", found["scope"], when, *by)
    snippet = [found["snippet"]] if found.get("snippet") else []
    return "- " + " | ".join([*(one_line(str(part), MAX_TITLE_CHARS) for part in shown), *snippet])
