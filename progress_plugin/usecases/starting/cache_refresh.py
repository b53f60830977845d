"""A start cache renewed, not made again: the memory database was touched, our row was not."""

from __future__ import annotations

import os

from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.fast.start_cache import Cache, cache_bytes, first_change, read_cache
from progress_plugin.core.files.input_records import Inputs
from progress_plugin.core.project import Project
from progress_plugin.usecases.summarizing.progress_document_input import read_documents
from progress_plugin.usecases.summarizing.project_name import project_names
from progress_plugin.usecases.summarizing.sources import lasting_inputs, read_plans
from progress_plugin.usecases.summarizing.summary_files import lock_of, put_cache

_DOCUMENTS = (b"row ", b"variable ")
"""The kinds of records that are about progress documents."""


def renewed(project: Project, timeout: float) -> Cache | None:
    """Return the cache with the database's new stats recorded, if nothing else and not the row has changed.

    None where it is to be made again. `timeout` is for the lock, in seconds.
    """
    if not os.path.isdir(project.log_directory):
        return None
    cache = read_cache(project.root)
    if cache is None:
        return None
    rows = [record for record in cache.records if record.startswith(_DOCUMENTS)]
    others = [record for record in cache.records if not record.startswith(_DOCUMENTS)]
    if first_change(others, project.root) is not None:
        return None
    if first_change(rows, project.root) is None:
        # Another start did the work in between.
        return cache
    fresh = _rows_now(project)
    if _digests(fresh) != _digests(rows):
        return None
    again = Cache(
        [*others, *fresh], cache.context, cache.user_line, cache.status_line, cache.name, cache.told
    )
    try:
        with lock_of(project, timeout):
            return _put(project, cache, again)
    except AgentProgressError:
        return None


def _rows_now(project: Project) -> list[bytes]:
    inputs = lasting_inputs(project)
    names = project_names(read_plans(project, Inputs(project.root)))
    read_documents(project, inputs, names, inputs.problems)
    return [record.line() for record in inputs.records()]


def _put(project: Project, before: Cache, again: Cache) -> Cache | None:
    """Replace the cache that was renewed; None where another is there by now. Caller holds the lock."""
    now = read_cache(project.root)
    if now is None or (now.records, now.context) != (before.records, before.context):
        return None
    ready = (again.context, again.user_line, again.status_line, again.name, again.told)
    put_cache(project, cache_bytes(project.root, again.records, ready))
    return again


def _digests(rows: list[bytes]) -> list[bytes]:
    """Return what identifies the state of the documents, that shown and that stored; not where they are."""
    digests = [row.split(b" ", 6)[5] for row in rows if row.startswith(b"row ")]
    return [*digests[:1], *digests[-1:]]
