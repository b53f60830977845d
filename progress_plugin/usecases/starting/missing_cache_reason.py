"""Why there is no start cache that counts: what is really the case, in a sentence.

Why a cache that is there is stale is told by `usecases.starting.stale_reason`.
"""

from __future__ import annotations

import os

from progress_plugin.core.fast.minimal_os import read_regular
from progress_plugin.core.fast.start_cache import CACHE_FILE, DATA_SUFFIX, cache_head, seal
from progress_plugin.core.fast.start_hook import changes_output
from progress_plugin.core.project import Project, has_log, has_sources
from progress_plugin.core.version import START_CACHE_FORMAT, VERSION
from progress_plugin.usecases.summarizing.summary_files import summary_path


def missing_cache_reason(project: Project) -> str:
    """Return why `start_cache.read_cache` finds none for this project."""
    data = read_regular(project.root + DATA_SUFFIX + CACHE_FILE)
    return _why_none(project) if data is None else _why_refused(project, data)


def _why_none(project: Project) -> str:
    if not project.has_directory and not has_log(project.root):
        return _why_nothing_is_kept(project)
    asked = sorted(name for name in os.environ if changes_output({name}))
    if asked:
        return f"{', '.join(asked)} asks for another output, so every start makes its own and keeps none"
    if os.path.isdir(project.directory) and not os.access(project.directory, os.W_OK | os.X_OK):
        return f"no summary can be kept: {project.directory} cannot be written"
    if os.path.exists(summary_path(project)):
        return "a summary was made, but what it was made from is no longer known (start.cache is gone)"
    if project.log_directory != project.directory and os.path.isdir(project.log_directory):
        return "no summary was made in this worktree yet; each has its own"
    return "no summary was made yet"


def _why_nothing_is_kept(project: Project) -> str:
    if not has_sources(project.root):
        return "no summary was made yet: there is neither log nor plan here to make one of"
    return (
        "there is nothing but a plan here, so no summary is kept and every start makes its own; "
        "`agent-progress init` or the first entry begins one"
    )


def _why_refused(project: Project, data: bytes) -> str:
    head = cache_head(data)
    if head is None:
        return "start.cache is damaged, or none of ours"
    if head.version != VERSION.encode():
        return f"the last summary was made by version {head.version.decode('utf-8', 'replace')}"
    if head.format != START_CACHE_FORMAT:
        return "the last summary was made by an earlier build of this version"
    mark = seal(project.root)
    if mark is None:
        return ".gitignore in our directory is gone, by which a summary is known to be made here"
    if head.seal != mark:
        return "the last summary was made in another place, or before this directory was copied or restored"
    return "start.cache is damaged, or none of ours"
