"""What the MCP server says about itself and its project, where the quick look did not show it.

The quick look is `core.fast.server_introduction` (`quick_introduction`).
"""

from __future__ import annotations

from progress_plugin.core.errors import BadInput
from progress_plugin.core.fast.server_introduction import Introduction, introduction
from progress_plugin.core.paths import database_path
from progress_plugin.memory.database import why_unusable
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.memory.location import memory_location
from progress_plugin.usecases.summarizing.project_name import LONGEST_NAME

_LONGEST_REASON = 300


def instructions(name: str | None, missing: str | None) -> str:
    """Return what the server says about itself; `missing` is why there are no memory tools."""
    if missing is not None:
        return f"The memory tools are missing: {one_line(missing, _LONGEST_REASON)}."
    return introduction(one_line(name, LONGEST_NAME) if name else None)


def told() -> Introduction:
    """Return what to tell a client, with all the reading that takes."""
    missing = _why_missing()
    name = memory_location().name if missing is None else None
    return Introduction(instructions(name, missing), has_memory=missing is None)


def _why_missing() -> str | None:
    try:
        return why_unusable(database_path())
    except BadInput as error:
        return str(error)
