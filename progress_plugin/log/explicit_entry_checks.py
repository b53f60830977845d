"""What an entry must say before it is written on request."""

from __future__ import annotations

from typing import Any

from progress_plugin.core.errors import BadInput
from progress_plugin.log.entry import EntryDraft, faults_of, text_of, texts_of
from progress_plugin.log.history import LogHistory, everything
from progress_plugin.log.merge import retracted
from progress_plugin.text.safe_output import has_words, one_line

_REFERENCES = ("resolves", "retracts", "supplements")
_WORDLESS = frozenset(
    {"session_id", "files_modified", "files", "commit", "key", "plan", "client_task", "started_at"}
    | {"completed_at"}
)


def judged(draft: EntryDraft) -> EntryDraft:
    """Return a draft without secrets and private parts. Raises BadInput if the rest may not be written."""
    refuse_faulty(draft)
    from progress_plugin.text.redact import redact, redact_value  # noqa: PLC0415 - only if something is written

    data, _ = redact_value(draft.data)
    kept = {name: value for name, value in data.items() if value or value == draft.data.get(name)}
    task, spec = (text and redact(text)[0] for text in (draft.task_id, draft.spec))
    left = draft._replace(data=kept, task_id=task, spec=spec)
    if left != draft:
        try:
            refuse_faulty(left)
        except BadInput as error:
            raise BadInput(f"{error}; what is private is not kept") from None
    return left


def refuse_faulty(draft: EntryDraft) -> None:
    """Raise BadInput, naming all faults, for a draft that may not be written or would say nothing."""
    faults = faults_of(draft)
    if isinstance(draft.data, dict):
        description = draft.data.get("description")
        if description is not None and not isinstance(description, str):
            faults.append("description must be text")
        elif not (
            draft.task_id or any(_has_words(draft.data[name]) for name in draft.data.keys() - _WORDLESS)
        ):
            faults.append("an entry names a task or says something; add --task or --description")
        named = [name for name in _REFERENCES if name in draft.data]
        faults += [f"{name} names no entry" for name in named if not texts_of(draft.data, name)]
    if isinstance(draft.task_id, str) and draft.task_id.strip() and not has_words(draft.task_id):
        faults.append(f"task {one_line(draft.task_id)!r} has no letter or digit, so it names no task")
    if faults:
        raise BadInput(f"nothing was logged: {'; '.join(faults)}")


def refuse_unknown(draft: EntryDraft, history: LogHistory) -> None:
    """Raise BadInput if a draft names what is in neither log nor archive, or was taken back."""
    named = {name: texts_of(draft.data, name) for name in _REFERENCES}
    wanted = {entry_id for ids in named.values() for entry_id in ids}
    if not wanted:
        return
    near = [*history.index.state.kept, *history.log.entries]
    known = {text_of(entry, "id"): entry for entry in near}
    if not wanted <= known.keys():  # months are opened only for an id that is not known otherwise
        known |= {text_of(entry, "id"): entry for entry in everything(history.index.directory)}
    gone = retracted(history.log.entries) | history.index.hidden
    faults = [f"{entry_id} is no entry of this log" for entry_id in sorted(wanted - known.keys())]
    types = {name: known[name].get("type") for name in named["resolves"] if name in known}
    faults += [f"{name} is no blocker, so nothing can resolve it"
               for name, kind in types.items() if kind != "task_blocked"]  # fmt: skip
    ended = [name for name in (*named["resolves"], *named["retracts"]) if name in known and name in gone]
    faults += [f"{name} is retracted already" for name in ended]
    if faults:
        raise BadInput(f"nothing was logged: {'; '.join(faults)}; `agent-progress recent --json` lists ids")


def _has_words(value: Any) -> bool:
    if isinstance(value, str):
        return has_words(value)
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(map(_has_words, parts))
