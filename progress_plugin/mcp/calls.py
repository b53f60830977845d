"""The five tools: their arguments, and the calls of their use cases; imported when a tool is called."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema

from progress_plugin.core import error_log
from progress_plugin.core.clients import CALL_SESSION_KEY
from progress_plugin.core.errors import AgentProgressError, ToolError
from progress_plugin.core.project import find_project
from progress_plugin.log.entry import ENTRY_TYPES
from progress_plugin.text.safe_output import clean, escape_values
from progress_plugin.usecases.answers import render_answer
from progress_plugin.usecases.memory.location import memory_location
from progress_plugin.usecases.memory.mem_compact import mem_compact
from progress_plugin.usecases.memory.mem_progress import mem_progress
from progress_plugin.usecases.memory.observations import mem_save, mem_search
from progress_plugin.usecases.recording.record import log_entry
from progress_plugin.usecases.served_project import served_directory

Answer: TypeAlias = tuple[dict[str, Any], str]  # structured content and text
RECEIPT_KEYS = ("id", "timestamp", "type", "task_id", "spec")


def parse_nested(value: Any) -> Any:
    """Return a list or object that a client sent as JSON text; some clients send all nested values so."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("[", "{"):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def parse_texts(value: Any) -> Any:
    """Return a list of texts; a single text counts as a list of one."""
    value = parse_nested(value)
    return [value] if isinstance(value, str) else value


class Tool(BaseModel):
    """Arguments of a tool, whose values are never converted; the docstring describes the tool to agents."""

    # The validator of a tool is built when the tool is called.
    model_config = ConfigDict(strict=True, extra="forbid", defer_build=True)
    is_read_only: ClassVar[bool] = False
    use_case: ClassVar[Callable[..., dict[str, Any]]]  # of a tool of the memory
    template: ClassVar[str]  # of its answer

    def values(self) -> dict[str, Any]:
        """Return the arguments of the use case."""
        return {name: value for name, value in self if name != "project_dir"}

    def run(self, directory: str | None, session: str | None) -> Answer:
        """Run the use case of the tool.

        `directory` is the root of the project, if the call names it, `session` the client's session, if the
        client sends it with each call.
        """
        place = memory_location(directory, session, naming="project_dir")
        clock = {} if self.is_read_only else {"now": datetime.now(UTC)}
        answer = type(self).use_case(place, **self.values(), **clock)
        text = render_answer(self.template, answer)
        answer.pop("text", None)  # the document once more
        return answer, text


class Progress(Tool):
    """Read (no content) or write the progress document."""

    use_case, template = mem_progress, "memory_progress"
    project: str | None = None
    content: Annotated[Any, WithJsonSchema({"type": ["object", "string"]})] = None
    session_id: str | None = None
    namespace: str | None = None
    base_revision: int | None = Field(None, description="as read")
    project_dir: str | None = None


class Compact(Tool):
    """List old observations; with compact_ids replace them by a summary."""

    use_case, template = mem_compact, "memory_compact"
    older_than_days: float
    project: str | None = None
    scope: str | None = None
    namespace: str | None = None
    compact_ids: Annotated[
        Any, WithJsonSchema({"type": ["array", "string"], "items": {"type": "integer"}})
    ] = None
    summary_title: str | None = None
    summary_content: str | None = None
    session_id: str | None = None
    limit: int | None = None


class Save(Tool):
    """Keep an observation."""

    use_case, template = mem_save, "memory_save"
    title: str
    content: str
    kind: str = Field(alias="type", description="decision, bugfix...")
    project: str | None = None
    scope: str | None = None
    topic_key: str | None = Field(None, description="repeated: new revision")


class Search(Tool):
    """Find observations and history by words."""

    is_read_only, use_case, template = True, mem_search, "memory_search"
    query: str
    project: str | None = Field(None, description='"*": all')
    kind: str | None = Field(None, alias="type")
    limit: int | None = None


class Log(Tool):
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
        """Append the entry; the answer repeats nothing that the agent has just written."""
        project = find_project(
            directory, None if directory else served_directory(session), naming="project_dir"
        )
        values = self.values() | {"learnings": self.learnings or []}
        logged = log_entry(project, **values, session=session, now=datetime.now(UTC))
        lines = [f"Logged {entry['type']}: {entry['id']}" for entry in logged.entries]
        data = {"entries": [*map(receipt, logged.entries)], "notes": logged.notes}
        return data, clean("\n".join([*lines, *logged.notes]))


TOOLS: dict[str, type[Tool]] = {
    "mem_progress": Progress,
    "mem_compact": Compact,
    "mem_save": Save,
    "mem_search": Search,
    "progress_log": Log,
}
"""All tools by name, in the order in which they are listed."""


def receipt(entry: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that identify a new entry, without its text."""
    identity = {key: entry[key] for key in RECEIPT_KEYS if key in entry}
    supplements = entry["data"].get("supplements")
    return {**identity, "supplements": supplements} if supplements else identity


def call(name: str, arguments: dict[str, Any], meta: dict[str, Any]) -> Answer:
    """Check the arguments of a call and run it. Raises ToolError.

    Only the progress document is answered as it is kept.
    """
    session = meta.get(CALL_SESSION_KEY)
    try:
        given = TOOLS[name].model_validate(arguments)
        session = session if isinstance(session, str) else None
        data, text = given.run(getattr(given, "project_dir", None), session)
        return (data if isinstance(given, Progress) else escape_values(data)), text
    except ValidationError as error:
        problems = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()]
        raise ToolError(f"{'; '.join(problems)}; nothing was changed") from None
    except AgentProgressError as error:
        raise ToolError(clean(str(error))) from error
    except Exception as error:
        error_log.note(f"mcp {name}", error)
        raise
