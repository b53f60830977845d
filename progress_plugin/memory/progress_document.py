"""The progress document: an agent's own work state, one live JSON per project."""

import os
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from progress_plugin.core.files import content_digest
from progress_plugin.memory.database import Store, glance
from progress_plugin.memory.team_session import TEAM_SESSION

_MARK = "mem_progress "
_FIELDS = "id, revision_count, updated_at, project, tool_name, content, deleted_at, topic_key, session_id"
_FACTS = "id, revision_count, updated_at, length(content), deleted_at IS NULL, session_id"
_ROOT_DIGITS = 12


class ProgressDocument:
    """One revision of a progress document."""

    __slots__ = ("id", "key", "live", "project", "revision", "root", "session_id", "text", "updated_at")

    def __init__(self, row: tuple[Any, ...]) -> None:
        self.id: int = row[0]
        self.revision: int = row[1]
        self.updated_at: str = row[2]
        self.project: str = row[3]
        self.root: str | None = row[4][len(_MARK) :] if (row[4] or "").startswith(_MARK) else None
        """The root it is bound to; None for one that another program wrote."""
        self.text: str = row[5]
        self.live: bool = row[6] is None
        self.key: str = row[7]
        """Its topic key, as its writer spelt it."""
        self.session_id: str = row[8]

    @property
    def content(self) -> Any:
        """The document parsed; its text where another program left there what is no JSON."""
        from progress_plugin.memory.json_text import printable  # noqa: PLC0415 - the text is often enough

        return printable(self.exact)

    @property
    def exact(self) -> Any:
        """The same with every number as it is there, for what is written again."""
        from progress_plugin.memory.json_text import exact  # noqa: PLC0415

        try:
            return exact(self.text)
        except (ValueError, RecursionError):
            return self.text


class RevisionLine(NamedTuple):
    """The revisions of one document: what is under one key, of which one at most is live."""

    project: str
    keys: tuple[str, ...]
    """The spellings of the key; the first is ours."""


class Revision(NamedTuple):
    """What is known of a revision without its text."""

    id: int
    revision: int
    updated_at: str
    characters: int
    live: bool
    session_id: str


def current(database_path: str | None, names: Iterable[str], root: str) -> ProgressDocument | None:
    """Return the document that a session start in `root` shows, or None; nothing is written or created.

    Raises BadInput for a file that is no memory database, Busy, Refused.
    """
    if database_path is None or not os.path.exists(database_path):
        return None
    wanted = tuple(names)
    found = glance(database_path, lambda store: shown(store, wanted, root))
    return found[1] if found else None


def shown(store: Store, names: Iterable[str], root: str) -> tuple[RevisionLine, ProgressDocument] | None:
    """Return the document that belongs to the project at `root`, which goes by these names, live, or None.

    One bound to another root is never returned; one bound to this root goes before one without a root, the
    newer before the older.
    """
    lines = [line for name in names for line in _lines(name, None, root)]
    found = [(line, document) for line in lines if (document := live(store, line)) is not None]
    ours = [(line, document) for line, document in found if may_be_shown(document, root)]
    return max(
        ours, key=lambda each: (each[1].root is not None, each[1].updated_at, each[1].id), default=None
    )


def may_be_shown(document: ProgressDocument, root: str | None) -> bool:
    """Return whether a document is bound to no root but perhaps this one."""
    return document.root is None or (root is not None and mark_of(document.root) == mark_of(root))


def line_to_read(store: Store, project: str, namespace: str | None, root: str | None) -> RevisionLine:
    """Return the document that a call from `root` means by a name: its own, else the one under that name."""
    lines = _lines(project, namespace, root)
    return next((line for line in lines[:-1] if live(store, line)), lines[-1])


def line_to_write(store: Store, project: str, namespace: str | None, root: str | None) -> RevisionLine:
    """Return the document that a write from `root` continues, or begins beside that of another project.

    A document bound to another root is left alone for as long as there is a directory: two projects of one
    name would empty each other's else. One of a root that is gone is continued, since projects move.
    """
    lines = _lines(project, namespace, root)
    line = line_to_read(store, project, namespace, root)
    return lines[0] if other_project(live(store, line), root) else line


def line_beside(project: str, namespace: str | None, root: str) -> RevisionLine:
    """Return where the document of `root` stands beside one of this name that no root is named for."""
    return _lines(project, namespace, root)[0]


def last_of_this_machine(store: Store, line: RevisionLine) -> ProgressDocument | None:
    """Return the newest revision that did not come from a team's server; None for none."""
    theirs = f"AND session_id NOT LIKE '{TEAM_SESSION}%'"
    found = [ProgressDocument(row) for row in _rows(store, _FIELDS, line, theirs)]
    return max(found, key=lambda one: (one.revision, one.id), default=None)


def other_project(document: ProgressDocument | None, root: str | None) -> str | None:
    """Return the root of the other project that a document belongs to, None where there is none any more."""
    if document is None or document.root is None or root is None or may_be_shown(document, root):
        return None
    try:
        # The same directory under another path is the same project.
        return None if os.path.samefile(document.root, root) else document.root
    except (OSError, ValueError):
        return document.root if os.path.isdir(document.root) else None


def other_under(store: Store, project: str, namespace: str | None, root: str | None) -> str | None:
    """Return the root of another project that keeps its document under this very name; None for none."""
    return other_project(live(store, _lines(project, namespace, None)[0]), root)


def live(store: Store, line: RevisionLine) -> ProgressDocument | None:
    """Return the live revision of a document, or None."""
    return next(
        (ProgressDocument(row) for row in _rows(store, _FIELDS, line, "AND deleted_at IS NULL")), None
    )


def at_revision(store: Store, line: RevisionLine, revision: int) -> ProgressDocument | None:
    """Return one revision, the live one of several with that number; None if it is not stored."""
    found = (one.id for one in history(store, line) if one.revision == revision)
    statement = f"SELECT {_FIELDS} FROM observations WHERE id = ?"
    row = store.connection.execute(statement, (next(found, None),)).fetchone()
    return ProgressDocument(row) if row else None


def history(store: Store, line: RevisionLine) -> list[Revision]:
    """Return what is stored of a document without its texts, the live revision first, then the newest."""
    found = [Revision(*row) for row in _rows(store, _FACTS, line, "")]
    return sorted(found, key=lambda one: (one.live, one.revision, one.id), reverse=True)


def bound_to(store: Store, names: Sequence[str], root: str) -> dict[str, ProgressDocument]:
    """Return the live documents of the project at `root` by namespace; `""` is the one that starts show.

    One that no root is named for may be another project's of the same name, and is left out.
    """
    found: dict[str, ProgressDocument] = {}
    if "namespace" in store.columns:
        statement = (
            f"SELECT namespace, {_FIELDS} FROM observations WHERE type = 'progress' AND deleted_at IS NULL "
            f"AND tool_name = ? AND namespace <> '' AND project IN ({', '.join('?' * len(names))}) "
            "ORDER BY datetime(updated_at), id"
        )
        rows = store.connection.execute(statement, (mark_of(root), *names))
        found |= {row[0]: ProgressDocument(row[1:]) for row in rows}
    own = shown(store, names, root)
    if own is not None and own[1].root is not None:
        found[""] = own[1]
    return found


def names_in_use(store: Store) -> list[str]:
    """Return the projects that have a live document, sorted."""
    statement = "SELECT project FROM observations WHERE type = 'progress' AND deleted_at IS NULL"
    return sorted({row[0] for row in store.connection.execute(statement) if row[0]})


def topic_key(project: str, namespace: str | None) -> str:
    """Return the key under which a document is kept."""
    return f"progress/{namespace}/{project}" if namespace else f"progress/{project}"


def mark_of(root: str) -> str:
    """Return what the `tool_name` of a document bound to `root` says.

    The layout is shared and has no column for it; a name that is no UTF-8 keeps its place by replacement.
    """
    return _MARK + os.fsencode(root).decode("utf-8", "replace")


def as_hoofy_spells(key: str) -> str:
    """Return a topic key as Hoofy and engram store it: lower case, hyphens, 120 bytes."""
    return "-".join(key.lower().split()).encode()[:120].decode("utf-8", "ignore")


def _lines(project: str, namespace: str | None, root: str | None) -> list[RevisionLine]:
    """Return where a document of this name may be: beside another project's, then under the name."""
    key = topic_key(project, namespace)
    plain = RevisionLine(project, (key, as_hoofy_spells(key)))
    if root is None:
        return [plain]
    # The root decides, so that every call from it finds the same key, and no two roots share one.
    digits = content_digest(mark_of(root).encode("utf-8", "replace")).decode()[:_ROOT_DIGITS]
    return [RevisionLine(project, (f"{key}@{digits}",)), plain]


def _rows(store: Store, fields: str, line: RevisionLine, condition: str) -> list[tuple[Any, ...]]:
    statement = (
        f"SELECT {fields} FROM observations WHERE topic_key IN ({', '.join('?' * len(line.keys))}) "
        f"AND project = ? AND scope = 'project' AND type = 'progress' {condition} "
        "ORDER BY datetime(updated_at) DESC, id DESC"
    )
    return store.connection.execute(statement, (*line.keys, line.project)).fetchall()
