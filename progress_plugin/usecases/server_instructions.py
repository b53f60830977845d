"""What the MCP server tells a client about itself: the project's name, and whether the memory is usable."""

from __future__ import annotations

from dataclasses import dataclass

from progress_plugin.core.errors import BadInput, NoProject
from progress_plugin.core.paths import database_path
from progress_plugin.core.project import find_project
from progress_plugin.core.start_cache import load_start_cache
from progress_plugin.memory.database import why_unusable
from progress_plugin.usecases.served_project import served_directory

MAX_NAME_CHARS = 100
MAX_REASON_CHARS = 300


@dataclass(frozen=True, slots=True)
class ServerDescription:
    """Instructions for the agent, and whether the memory tools are offered."""

    instructions: str
    has_memory: bool


def describe_server() -> ServerDescription:
    """Return what the server tells a client when it connects."""
    missing = _why_no_memory()
    name = project_name() if missing is None else None
    return ServerDescription(instructions(name, missing), missing is None)


def instructions(name: str | None, missing: str | None) -> str:
    """Return the server's instructions; `missing` is why there are no memory tools."""
    if missing is not None:
        return f"The memory tools are missing: {_one_line(missing, MAX_REASON_CHARS)}."
    here = f"This project's exact name: {name!r}." if name else "No project here: name one."
    return (
        f"{here} mem_progress holds your own work state, no session summary, task tracker or to-do list: "
        "read it at session start, write it after a significant step and before the end, as JSON "
        '{"goal":"","completed":[],"next_steps":[],"blockers":[]}. '
        "mem_compact in two phases: identify, review, execute."
    )


def project_name() -> str | None:
    """Return the name of the served project, or None if there is no project.

    It is the name in the last summary, or else the repository's. The memory knows a project by either, so
    neither plans nor logs are read to find the name.
    """
    try:
        project = find_project(None, served_directory())
    except NoProject:
        return None
    cache = load_start_cache(project.root)
    if cache is not None and cache.name:
        return cache.name
    name = project.repository_name()
    is_plain = name.isascii() and name.translate(str.maketrans("", "", "._-")).isalnum()
    return name if is_plain else _one_line(name, MAX_NAME_CHARS)


def _one_line(text: str, max_chars: int) -> str:
    from progress_plugin.text.safe_output import one_line  # noqa: PLC0415 - its patterns take as long as all else

    return one_line(text, max_chars)


def _why_no_memory() -> str | None:
    try:
        return why_unusable(database_path())
    except BadInput as error:
        return str(error)
