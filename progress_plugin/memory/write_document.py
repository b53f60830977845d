"""A new revision of a progress document in place of the live one, merged where two wrote."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from progress_plugin.core.errors import BadInput, Refused
from progress_plugin.memory import json_text, progress_document
from progress_plugin.memory.database import Store
from progress_plugin.memory.document_merge import merge
from progress_plugin.memory.observation import (
    MANUAL_SESSION,
    PROGRESS_TYPE,
    ObservationDraft,
    insert,
    soft_delete,
)
from progress_plugin.memory.progress_document import ProgressDocument, RevisionLine
from progress_plugin.memory.team_session import writer_of_session


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """What is to become the next revision; `value` is `text` parsed."""

    line: RevisionLine
    """The document of which it becomes one."""
    namespace: str | None
    value: Any
    text: str
    root: str | None
    """The project root that the document will be bound to; None leaves it bound as it was."""
    namesake: str | None = None
    """The root of another project that has a document of this name, None where there is none."""
    base_revision: int | None = None
    session_id: str = MANUAL_SESSION


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenRevision:
    """What became of it."""

    id: int
    revision: int
    merged_with: int | None
    """The revision it was merged with, None where it is as it was sent."""
    root: str | None
    """The root it is bound to."""
    replaced_root: str | None
    """The other root that the document before it was bound to, None where there is nothing to warn about."""


def write(store: Store, writing: Writing, now: datetime) -> WrittenRevision:
    """Store a new revision and retire the live one; the caller holds the transaction.

    Raises BadInput for a base revision that never was or more than 1 MiB, Refused where no merge is possible.
    """
    history = progress_document.history(store, writing.line)
    newest = max((one.revision for one in history), default=0)
    live = progress_document.live(store, writing.line)
    text, merged_with = _with_base(store, writing, live, newest)
    soft_delete(store, [one.id for one in history if one.live], now)
    row_id = insert(store, _draft(store, writing, text, live, newest + 1), writing.root or "", now)
    replaced = live.root if live and not progress_document.may_be_shown(live, writing.root) else None
    return WrittenRevision(
        id=row_id, revision=newest + 1, merged_with=merged_with, root=writing.root or replaced,
        replaced_root=replaced if writing.root else None,
    )  # fmt: skip


def _draft(
    store: Store, writing: Writing, text: str, live: ProgressDocument | None, revision: int
) -> ObservationDraft:
    # A document born in Hoofy stays under Hoofy's spelling of its key.
    key = live.key if live else writing.line.keys[0]
    if not store.own:
        # Its owner looks a key up in its own spelling, so a document in another one is not there for it.
        key = progress_document.as_hoofy_spells(key)
    root = writing.root or (live.root if live else None)
    return ObservationDraft(
        type=PROGRESS_TYPE,
        title=f"Progress: {writing.line.project}",
        content=text,
        project=writing.line.project,
        topic_key=key,
        namespace=writing.namespace,
        tool_name=progress_document.mark_of(root) if root else None,
        session_id=writing.session_id,
        revision=revision,
    )


def _with_base(
    store: Store, writing: Writing, live: ProgressDocument | None, newest: int
) -> tuple[str, int | None]:
    """Return the text to store and the revision it was merged with."""
    if writing.base_revision is None and live is not None and writer_of_session(live.session_id):
        return _after_the_team(store, writing, live)
    if writing.base_revision is None or writing.base_revision == newest:
        return writing.text, None
    if writing.base_revision > newest:
        if not newest and writing.namesake:
            raise BadInput(
                f"base_revision {writing.base_revision} is one of {writing.namesake}, another project of "
                "this name; this one has no document yet: leave base_revision out"
            )
        stands = f"the newest is revision {newest}" if newest else "there is no document yet"
        raise BadInput(f"base_revision {writing.base_revision} does not exist, {stands}; read it first")
    if live is None:
        return writing.text, None
    base = progress_document.at_revision(store, writing.line, writing.base_revision)
    merged, conflicts = merge(base.exact if base else None, live.exact, writing.value)
    if conflicts:
        raise Refused(_both_versions(live, writing, conflicts))
    return json_text.dump(merged), live.revision


def _after_the_team(store: Store, writing: Writing, live: ProgressDocument) -> tuple[str, int | None]:
    """Return the text to store over what a sync has put in place, perhaps after the writer had read.

    Whoever names no base has read the last revision of this machine, as far as anybody knows.
    """
    before = progress_document.last_of_this_machine(store, writing.line)
    merged, conflicts = merge(before.exact if before else None, live.exact, writing.value)
    if conflicts:
        who = writer_of_session(live.session_id) or "the team"
        raise Refused(
            f"Not saved: {who} wrote revision {live.revision} on another machine, and it came with a sync; "
            f"they differ in {', '.join(conflicts)}. Merge them and write with base_revision "
            f"{live.revision}.\nStored (revision {live.revision}):\n{live.text}\nYours:\n{writing.text}"
        )
    return json_text.dump(merged), live.revision


def _both_versions(live: ProgressDocument, writing: Writing, conflicts: list[str]) -> str:
    return (
        f"Not saved: revision {live.revision} was written after your base_revision {writing.base_revision}; "
        f"they differ in {', '.join(conflicts)}. Merge them and write with base_revision {live.revision}.\n"
        f"Stored (revision {live.revision}):\n{live.text}\nYours:\n{writing.text}"
    )
