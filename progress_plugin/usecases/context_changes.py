"""What would be different for an agent now, compared with the context kept last.

For `context --diff` alone; what a resumed session is told is in `summary.start_context`.
"""

from __future__ import annotations

import difflib

from progress_plugin.core.project import Project
from progress_plugin.core.start_cache import load_start_cache
from progress_plugin.usecases.composing import compose_for_this_call
from progress_plugin.usecases.sharing import take_in_latest


def context_change(project: Project) -> list[str] | None:
    """Return the lines of a unified diff, none where nothing changed; None where none is kept.

    The kept context is that of the start cache: what the last regeneration made, whoever asked for it.
    Nothing is written but what a pull has brought, into the log.
    """
    cache = load_start_cache(project.root)
    if cache is None:
        return None
    before = cache.context
    take_in_latest(project)
    after = compose_for_this_call(project).context
    return list(difflib.unified_diff(before.splitlines(), after.splitlines(), "kept", "now", lineterm=""))
