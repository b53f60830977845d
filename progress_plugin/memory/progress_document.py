"""The progress document: an agent's own work state, one live JSON per project (S14.1, S8.3)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, NamedTuple

from progress_plugin.memory.database import Store, glance

_MARK = "mem_progress "
_FIELDS = "id, revision_count, updated_at, project, tool_name, content, deleted_at, topic_key"
_FACTS = "id, revision_count, updated_at, length(content), deleted_at IS NULL"


class Document:
    """One revision of a progress document."""

    __slots__ = ("id", "key", "live", "project", "revision", "root", "text", "updated_at")

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
        """Its topic key, as whoever wrote it spelt it."""

    @property
    def content(self) -> Any:
        """The document parsed; its text where another program left there what is no JSON."""
        from progress_plugin.memory.json_text import printable  # noqa: PLC0415 - the text is often enough

        return printable(self.exact)

    @property
    def exact(self) -> Any:
        """The same with every number as it stands there, for what is written again."""
        from progress_plugin.memory.json_text import exact  # noqa: PLC0415

        try:
            return exact(self.text)
        except (ValueError, RecursionError):
            return self.text

    @property
    def hash(self) -> str:
        """SHA-256 of the text, in hexadecimal."""
        import hashlib  # noqa: PLC0415

        return hashlib.sha256(self.text.encode("utf-8", "replace")).hexdigest()


class Revision(NamedTuple):
    """What is known of a revision without its text."""

    id: int
    revision: int
    updated_at: str
    characters: int
    live: bool


def current(database_path: str | None, names: Iterable[str], root: str) -> Document | None:
    """Return the document that a session start in `root` shows, or None; nothing is written or created.

    `names` are the names the project goes by. One bound to another root is never returned; one bound to this
    root goes before one without a root, the newer before the older.

    Raises BadInput for a file that is no memory database, Busy, Refused.
    """
    if database_path is None or not os.path.exists(database_path):
        return None
    mark = mark_of(root)
    found = glance(database_path, lambda store: [one for name in names for one in _live(store, name, None)])
    ours = [document for document in found if document.root in (None, mark[len(_MARK) :])]
    return max(
        ours, key=lambda document: (document.root is not None, document.updated_at, document.id), default=None
    )


def live(store: Store, project: str, namespace: str | None) -> Document | None:
    """Return the live document of a project, or None."""
    return next(iter(_live(store, project, namespace)), None)


def at_revision(store: Store, project: str, namespace: str | None, revision: int) -> Document | None:
    """Return one revision, the live one of several with that number; None if it is not stored."""
    found = (one.id for one in history(store, project, namespace) if one.revision == revision)
    statement = f"SELECT {_FIELDS} FROM observations WHERE id = ?"
    row = store.connection.execute(statement, (next(found, None),)).fetchone()
    return Document(row) if row else None


def history(store: Store, project: str, namespace: str | None) -> list[Revision]:
    """Return what is stored of a document without its texts, the live revision first, then the newest."""
    found = [Revision(*row) for row in _rows(store, _FACTS, project, namespace, "")]
    return sorted(found, key=lambda one: (one.live, one.revision, one.id), reverse=True)


def names_in_use(store: Store) -> list[str]:
    """Return the projects that have a live document, sorted."""
    statement = "SELECT project FROM observations WHERE type = 'progress' AND deleted_at IS NULL"
    return sorted({row[0] for row in store.connection.execute(statement) if row[0]})


def topic_key(project: str, namespace: str | None) -> str:
    """Return the key under which a document is kept (S14.1)."""
    return f"progress/{namespace}/{project}" if namespace else f"progress/{project}"


def mark_of(root: str) -> str:
    """Return what the `tool_name` of a document bound to `root` says.

    The layout is shared and has no column for it; a name that is no UTF-8 keeps its place by replacement.
    """
    return _MARK + os.fsencode(root).decode("utf-8", "replace")


def _live(store: Store, project: str, namespace: str | None) -> list[Document]:
    return [Document(row) for row in _rows(store, _FIELDS, project, namespace, "AND deleted_at IS NULL")]


def _rows(
    store: Store, fields: str, project: str, namespace: str | None, condition: str
) -> list[tuple[Any, ...]]:
    key = topic_key(project, namespace)
    statement = (
        f"SELECT {fields} FROM observations WHERE topic_key IN (?, ?) AND project = ? AND scope = 'project' "
        f"AND type = 'progress' {condition} ORDER BY datetime(updated_at) DESC, id DESC"
    )
    return store.connection.execute(statement, (key, as_hoofy_spells(key), project)).fetchall()


def as_hoofy_spells(key: str) -> str:
    """Return a topic key as Hoofy and engram store it: lower case, hyphens, 120 bytes."""
    return "-".join(key.lower().split()).encode()[:120].decode("utf-8", "ignore")
