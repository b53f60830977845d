"""The five tools; each call becomes a call of its use case. Imported when the first tool is called."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, Field, WithJsonSchema

from progress_plugin.core import error_log
from progress_plugin.core.clients import CALL_SESSION_KEY
from progress_plugin.core.errors import AgentProgressError, ToolError
from progress_plugin.core.project import find_project
from progress_plugin.log.entry import ENTRY_TYPES
from progress_plugin.text.safe_output import clean, escape_values
from progress_plugin.usecases.answers import render_answer
from progress_plugin.usecases.memory.location import memory_location
from progress_plugin.usecases.memory.mem_compact import Compact
from progress_plugin.usecases.memory.mem_progress import Progress
from progress_plugin.usecases.memory.observations import Save, Search
from progress_plugin.usecases.memory.tool import MemoryTool, Tool, parse_nested
from progress_plugin.usecases.recording.record import log_entry
from progress_plugin.usecases.served_project import served_directory

Answer: TypeAlias = tuple[dict[str, Any], str]  # structured content and text
RECEIPT_KEYS = ("id", "timestamp", "type", "task_id", "spec")


def parse_texts(value: Any) -> Any:
    """Return a list of texts; a single text counts as a list of one."""
    value = parse_nested(value)
    return [value] if isinstance(value, str) else value


class ProgressLog(Tool):
    """Append to the progress log."""

    type: str = Field(json_schema_extra={"enum": list(ENTRY_TYPES)})
    description: str
    task_id: str | None = None
    spec: str | None = None
    learnings: Annotated[list[str] | None, BeforeValidator(parse_texts)] = None
    resolves: str | None = Field(None, description="blocker's id")
    data: Annotated[
        dict[str, Any] | None, BeforeValidator(parse_nested), WithJsonSchema({"type": "object"})
    ] = None
    project_dir: str | None = None

    def run(self, directory: str | None, session: str | None) -> Answer:
        """Append the entry; the answer does not repeat its texts."""
        project = find_project(
            directory, None if directory else served_directory(session), how_to_name="project_dir"
        )
        values = dict(self) | {"learnings": self.learnings or []}
        values.pop("project_dir")
        logged = log_entry(project, **values, session=session, now=datetime.now(UTC))
        lines = [f"Logged {entry['type']}: {entry['id']}" for entry in logged.entries]
        data = {"entries": [*map(receipt, logged.entries)], "notes": logged.notes}
        return data, clean("\n".join([*lines, *logged.notes]))


TOOLS: dict[str, type[MemoryTool | ProgressLog]] = {
    "mem_progress": Progress,
    "mem_compact": Compact,
    "mem_save": Save,
    "mem_search": Search,
    "progress_log": ProgressLog,
}
"""All tools by name, in the order in which they are listed."""


def receipt(entry: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that identify a new entry, without its text."""
    identity = {key: entry[key] for key in RECEIPT_KEYS if key in entry}
    supplements = entry["data"].get("supplements")
    return {**identity, "supplements": supplements} if supplements else identity


def call(name: str, arguments: dict[str, Any], meta: dict[str, Any]) -> Answer:
    """Check the arguments of a call and run it. Raises ToolError with a message for the agent.

    Texts in the answer are escaped, except those of the progress document.
    """
    session = meta.get(CALL_SESSION_KEY)
    session = session if isinstance(session, str) else None
    try:
        tool = TOOLS[name].check(arguments)
        directory = getattr(tool, "project_dir", None)
        if isinstance(tool, ProgressLog):
            data, text = tool.run(directory, session)
        else:
            place = memory_location(directory, session, how_to_name="project_dir")
            data = tool.run(place, datetime.now(UTC))
            text = render_answer(tool.template, data)
            data.pop("text", None)  # it repeats the document
        return (data if isinstance(tool, Progress) else escape_values(data)), text
    except AgentProgressError as error:
        raise ToolError(clean(str(error))) from error
    except Exception as error:
        error_log.note(f"mcp {name}", error)
        raise
