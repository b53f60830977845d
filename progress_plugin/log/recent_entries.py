"""What happened last, in a sentence and in entries, and in which words an entry is told."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from progress_plugin.log.entry import CLAIM, data_of, is_claim, text_of, texts_of
from progress_plugin.log.logged_blockers import names_of_task, same_task
from progress_plugin.log.supplements import EARLIER, EARLIER_NOTES
from progress_plugin.model.status import SCOPE_CHANGE
from progress_plugin.text.bounds import counted
from progress_plugin.text.normalise_title import normalised
from progress_plugin.text.safe_output import joined, one_line, points, sentences, stored_line

DEFAULT = 20
"""Entries that are shown where no other number is asked for; the archive's index holds as many whole."""
NOTHING = "No previous progress recorded."
_LONGEST = 120
_NAMED = 3
ENDING = ("task_completed",)
"""Types of entries after which what an older one called the next step may have been taken."""
CLAIMED = "story claimed"
"""What a claim is called, also where it is a lease of a server and no entry."""
_HEADLINES = ("description", "issue", "focus_task", "resolution", "root_cause", "reason", "context", "notes")
_OF_TYPE = {
    "session_started": ("focus_task", "context"),
    "scope_override": ("requested_tasks", "reason"),
    "debug_resolved": ("root_cause", "resolution"),
}
"""Fields in which somebody says what an entry of this type is for."""


class RecentEntries(NamedTuple):
    """The newest part of the history."""

    entries: list[dict[str, Any]]
    """Effective ones in the order of the log, newest last."""
    summary: str
    last_spec: str | None
    last_task: str | None
    """Spec and task of the last `task_completed`, together."""
    unresolved_blockers: list[dict[str, Any]]
    """Of the whole history, oldest first: entries of this log."""


class OpenWork(NamedTuple):
    """What plans and other logs say besides."""

    blocking: int
    """How many blockers there are in all."""
    following: str = ""
    """What comes next; empty where nothing says so."""
    records: tuple[str, ...] = ()
    """Paths of the logs that agents keep themselves."""
    current: str = ""
    """The plan's current story, where no entry says what comes next."""


def recent(
    history: list[dict[str, Any]],
    blockers: list[dict[str, Any]],
    n: int = DEFAULT,
    open_work: "OpenWork | None" = None,
) -> RecentEntries:
    """Return the last `n` of the effective entries, in log order, with all open `blockers`.

    Without a `open_work` only the log is asked.
    """
    open_work = open_work or OpenWork(len(blockers))
    entries = history[-n:] if n > 0 else []
    last: dict[str, Any] = next(
        (entry for entry in reversed(history) if entry.get("type") == "task_completed"), {}
    )
    if history and n <= 0:
        told = _without_entries(open_work)
    elif history or not open_work.records:
        told = summary(entries, open_work)
    else:
        told = _kept_elsewhere(open_work)
    return RecentEntries(entries, told, text_of(last, "spec"), text_of(last, "task_id"), blockers)


def summary(entries: list[dict[str, Any]], open_work: OpenWork) -> str:
    """Return one sentence or more about these entries, how many blockers are open and what comes next."""
    if not entries:
        return NOTHING
    told = f"{_completed(entries)}, {counted(open_work.blocking, 'blocker')}"
    return _sentences(
        f"Last {counted(len(entries), 'entry')}: {told}",
        f"Most recent: {_shortened(headline(entries[-1]))}",
        *_to_come(open_work),
    )


def _completed(entries: list[dict[str, Any]]) -> str:
    """Return how many tasks these entries finished, and in how many entries if some were finished again."""
    done = [entry for entry in entries if entry.get("type") == "task_completed"]
    tasks = _number_of_tasks(done)
    told = f"{counted(tasks, 'task')} completed"
    return told if tasks == len(done) else f"{told} in {counted(len(done), 'entry')}"


def _number_of_tasks(entries: list[dict[str, Any]]) -> int:
    """Return how many tasks these are about; one without an id is known by its title, as a story is."""
    number = 0
    known: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    """The first entry on each task, by what that is named."""
    for entry in entries:
        names = list(names_of_task(entry))
        before = [each for name in names for each in known.get(name, ())]
        is_known = any(same_task(each, entry) for each in before)
        if not names:
            names = [(normalised(headline(entry)),)]
            is_known = names[0] in known
        if not is_known:
            number += 1
            for name in names:
                known.setdefault(name, []).append(entry)
    return number


def _without_entries(open_work: OpenWork) -> str:
    """Return what is open and what comes next, for whoever asks for no entries."""
    return _sentences(
        f"No entries shown, {counted(open_work.blocking, 'blocker')}",
        *_to_come(open_work),
    )


def _kept_elsewhere(open_work: OpenWork) -> str:
    """Return where the record of a project without entries is, what is open there and what comes next."""
    where = one_line(", ".join(open_work.records[:_NAMED]))
    return _sentences(
        f"No entries in the progress log; the record is {where} (`agent-progress status` sums it up)",
        f"Open blockers: {open_work.blocking}" if open_work.blocking else "",
        *_to_come(open_work),
    )


def _to_come(open_work: OpenWork) -> Iterator[str]:
    if open_work.current:
        yield f"Current: {_shortened(open_work.current)}"
    if open_work.following:
        yield f"Next: {_shortened(open_work.following)}"


def _sentences(*parts: str) -> str:
    return ". ".join(part for part in parts if part) + "."


def headline(entry: dict[str, Any]) -> str:
    """Return what an entry is about, as one line: the first point of what describes it."""
    return headline_of(entry, headline_field(entry))


def headline_of(entry: dict[str, Any], field: str | None) -> str:
    """Return the headline of an entry whose `headline_field` is known."""
    if entry.get("type") == "session_ended" and field in (None, "reason"):
        return one_line(_end_of_session(data_of(entry)))
    said = sentences(text_of(data_of(entry), field) or "") if field else []
    first = said[0].rstrip(" :") if len(said) > 1 else next(iter(said), "")
    return stored_line(first or text_of(entry, "task_id") or type_words(entry))


def below_headline(entry: dict[str, Any]) -> list[str]:
    """Return what an entry says besides its headline.

    That is a line for each point of its text and its notes, and for each field in which entries of its type
    say what they are for.
    """
    data, field = data_of(entry), headline_field(entry)
    first = sentences(text_of(data, field) or "")[1:] if field else []
    notes = points(text_of(data, "notes") or "") if field != "notes" else []
    notes += [point for text in texts_of(data, EARLIER_NOTES) for point in points(text)]
    earlier = [point for text in texts_of(data, EARLIER) for point in sentences(text)]
    more = words_of_type(text_of(entry, "type") or "", data, field)
    return [*(stored_line(point) for point in (*first, *notes, *earlier)), *more]


def _end_of_session(data: dict[str, Any]) -> str:
    """Return what a session did: a client's reason such as `other` says nothing by itself."""
    tasks, minutes = (text_of(data, name) for name in ("tasks_completed", "duration_minutes"))
    facts = [f"{_number_of(tasks, 'task')} completed" if tasks else ""]
    facts += [f"~{_number_of(minutes, 'minute')}"] if minutes else []
    told = ", ".join(fact for fact in facts if fact)
    return f"session ended: {told}" if told else "session ended"


def _number_of(written: str, what: str) -> str:
    """Return a number as an entry has it with its noun; anybody may have written something else there."""
    return f"{written} {what}{'' if written == '1' else 's'}"


def headline_field(entry: dict[str, Any]) -> str | None:
    """Return which field of its data an entry's headline is taken from."""
    data = data_of(entry)
    for name in _HEADLINES:
        if text_of(data, name):
            return name
    return None


_CORRECTIONS = {"retracts": "entry retracted", "mutes": "learning muted"}
"""What corrects the log in an entry of a decision's type, and how that is called."""


def type_words(entry: dict[str, Any]) -> str:
    """Return an entry's type in words: `task_completed` is "task completed".

    A claim is called one, and so is what takes back an entry or a learning: its type is that of the
    decisions, which says nothing of it.
    """
    if is_claim(entry):
        return "story released" if data_of(entry)[CLAIM].get("released") is True else CLAIMED
    if entry.get("type") == SCOPE_CHANGE:
        data = data_of(entry)
        correction = next((words for name, words in _CORRECTIONS.items() if data.get(name)), None)
        if correction:
            return correction
    return (text_of(entry, "type") or "entry").replace("_", " ")


def next_steps(entry: dict[str, Any]) -> str | None:
    """Return an entry's next steps as one line, or None."""
    steps = texts_of(data_of(entry), "next_steps")
    return stored_line("; ".join(map(joined, steps))) if steps else None


def _shortened(text: str) -> str:
    return one_line(text, _LONGEST).rstrip(" .")


def words_of_type(kind: str, data: dict[str, Any], headline: str | None) -> list[str]:
    """Return a line for each of those fields that says something, but not for the one of the headline."""
    return [
        with_name(data, name) for name in _OF_TYPE.get(kind, ()) if name != headline and texts_of(data, name)
    ]


def with_name(data: dict[str, Any], name: str) -> str:
    """Return a field as one line: `Focus task: US-013`."""
    return stored_line(f"{name.replace('_', ' ').capitalize()}: {joined(value_words(data[name]))}")


def value_words(value: Any) -> str:
    """Return a value as text: texts as they are, a list of them parted by semicolons, all else as JSON."""
    if isinstance(value, str):
        return value
    if (
        isinstance(value, Iterable)
        and not isinstance(value, dict)
        and all(isinstance(part, str) for part in value)
    ):
        return "; ".join(value)
    return json.dumps(value, ensure_ascii=False)
