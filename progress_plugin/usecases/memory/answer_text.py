"""The answers of the memory tools as text: what a model reads, and what a terminal shows."""

from __future__ import annotations

from typing import Any

from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line

_TITLE = 80
_LIST = 400
_HISTORY = "In the history, beside the observations:"


def progress_text(answer: dict[str, Any]) -> str:
    """Return the answer of mem_progress; a document is in it byte for byte."""
    if answer.get("saved"):
        return _saved(answer)
    if not answer["found"]:
        near = one_line(", ".join(answer["similar"]), _LIST)
        return f"No progress document found for project {_named(answer['project'])}" + (
            f". Similar: {near}" if near else ""
        )
    bound = one_line(answer["bound_elsewhere"] or "", _LIST)
    elsewhere = (
        f", bound to {bound}: no session start shows it here until it is written here" if bound else ""
    )
    by = f" by {one_line(answer['by'], _LIST)}" if answer["by"] else ""
    return (
        f"# Progress: {_named(answer['project'])}\n\n{answer['text']}\n\n---\n"
        f"Revision {answer['revision']}, id {answer['id']}, updated {answer['updated_at']} UTC{by}{elsewhere}"
        + "".join(f"\nTo settle: {one_line(each, _LIST)}" for each in answer["unsettled"])
        + ("\nWrite what holds, without `other_versions`." if answer["unsettled"] else "")
    )


def compact_text(answer: dict[str, Any]) -> str:
    """Return the answer of mem_compact."""
    if answer["mode"] == "execute":
        summary = f"summary {answer['summary_id']}" if answer["summary_id"] else "no summary"
        rows = f"{answer['before']} -> {counted(answer['after'], 'row')}"
        return f"Compacted {counted(answer['deleted'], 'observation')}, left {summary}: {rows}."
    ages = ", ".join(f"{count} {name}" for name, count in answer["ages"].items())
    days = _days(answer["older_than_days"])
    head = f"{answer['count']} of {counted(answer['total'], 'observation')} not touched for {days}"
    lines = [f"{head} ({ages})" if ages else head, *map(_row, answer["observations"]), answer["hint"]]
    return "\n".join(lines)


def save_text(answer: dict[str, Any]) -> str:
    """Return the answer of mem_save."""
    again = " (it was there already)" if answer["duplicate"] else ""
    note = f" {one_line(answer['note'])}." if "note" in answer else ""
    return f"Saved observation {answer['id']}, revision {answer['revision']}{again}.{_removed(answer)}{note}"


def search_text(answer: dict[str, Any]) -> str:
    """Return the answer of mem_search: each observation with a head line and its content."""
    note = [one_line(answer["note"])] if "note" in answer else []
    history = answer.get("history", [])
    if not answer["observations"] and not history:
        nothing = f"Nothing found for {_named(answer['query'])!r} in {_named(answer['project'])}."
        return "\n\n".join([*note, nothing])
    listed = [f"{_row(found)}\n{found['content']}" for found in answer["observations"]]
    if not answer["query"]:
        listed.insert(0, f"The newest of {_named(answer['project'])}; the query has no words.")
    if history:
        from progress_plugin.usecases.recalling.answer_text import object_line  # noqa: PLC0415 - search alone

        listed.append("\n".join([_HISTORY, *map(object_line, history)]))
    return "\n\n".join([*note, *listed])


def restore_text(answer: dict[str, Any]) -> str:
    """Return the answer of `memory restore` for a compaction."""
    kept = answer["superseded"]
    left = f"; {counted(len(kept), 'stays', 'stay')} deleted, newer ones have their topic" if kept else ""
    restored = counted(len(answer["restored"]), "observation")
    return f"Restored {restored} of compaction {answer['compaction']}{left}."


def _days(number: float) -> str:
    return f"{number:g} day{'' if number == 1 else 's'}"


def _saved(answer: dict[str, Any]) -> str:
    parts = [
        f"Saved progress of {_named(answer['project'])}: revision {answer['revision']}, id {answer['id']}."
    ]
    if answer["merged_with"] is not None:
        parts.append(f"Merged with revision {answer['merged_with']}; read it before you go on.")
    if answer["replaced_root"]:
        replaced = one_line(answer["replaced_root"], _LIST)
        parts.append(f"It replaced the document of {replaced}, which is gone.")
    if answer["namesake"]:
        namesake = one_line(answer["namesake"], _LIST)
        parts.append(f"{namesake} has a document of this name, too; each project keeps and is shown its own.")
    if not answer["shown_at_start"]:
        parts.append(_not_shown(answer["session_start_reads"], answer["bound_to"]))
    return " ".join(parts) + _removed(answer)


def _not_shown(name: str | None, bound_to: str | None) -> str:
    if name is None and bound_to is not None:
        return f"There is no project here; it stays the document of {one_line(bound_to, _LIST)}."
    if name is None:
        return "There is no project here, so no session start shows it."
    return f"Session start does not show it: it reads project {_named(name)!r} without a namespace."


def _named(name: str) -> str:
    return one_line(name, _TITLE)


def _removed(answer: dict[str, Any]) -> str:
    count = answer["removed_parts"]
    return f" {counted(count, 'private or secret part')} left out." if count else ""


def _row(found: dict[str, Any]) -> str:
    when = found.get("created_at") or found.get("updated_at")
    by = [f"by {found['by']}"] if found.get("by") else []
    shown = (found["id"], found["type"], found["title"], found["project"] or "-", found["scope"], when, *by)
    snippet = [found["snippet"]] if found.get("snippet") else []
    return "- " + " | ".join([*(one_line(str(part), _TITLE) for part in shown), *snippet])
