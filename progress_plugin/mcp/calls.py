"""The five tools: their arguments, and the calls of their use cases; imported when a tool is called."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema

from progress_plugin.core import error_log
from progress_plugin.core.clients import CALL_SESSION_KEY, session_from_environment
from progress_plugin.core.errors import AgentProgressError, ToolError
from progress_plugin.core.project import Project, find_project
from progress_plugin.log.entry import ENTRY_TYPES
from progress_plugin.text.safe_output import clean
from progress_plugin.usecases.answers import render_answer
from progress_plugin.usecases.memory.location import MemoryLocation, memory_location
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


class Arguments(BaseModel):
    """Arguments of a tool; values are never converted."""

    # The validator of a tool is built when the tool is called.
    model_config = ConfigDict(strict=True, extra="forbid", defer_build=True)


class ProgressArguments(Arguments):
    """Arguments of `mem_progress`."""

    project: str | None = None
    content: Annotated[Any, WithJsonSchema({"type": ["object", "string"]})] = None
    session_id: str | None = None
    namespace: str | None = None
    base_revision: int | None = Field(None, description="as read")
    project_dir: str | None = None


class CompactArguments(Arguments):
    """Arguments of `mem_compact`."""

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


class SaveArguments(Arguments):
    """Arguments of `mem_save`."""

    title: str
    content: str
    kind: str = Field(alias="type", description="decision, bugfix...")
    project: str | None = None
    scope: str | None = None
    topic_key: str | None = Field(None, description="repeated: new revision")


class SearchArguments(Arguments):
    """Arguments of `mem_search`."""

    query: str
    project: str | None = Field(None, description='"*": all')
    kind: str | None = Field(None, alias="type")
    limit: int | None = None


class LogArguments(Arguments):
    """Arguments of `progress_log`."""

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


@dataclass(frozen=True, slots=True)
class Caller:
    """The origin of a call."""

    directory: str | None
    """The root of the project, if the call names it."""
    session: str | None
    """The client's session, if the client sends it with each call."""

    def location(self) -> MemoryLocation:
        """Return the memory location of the call."""
        return memory_location(self.directory, self.session, naming="project_dir")

    def project(self) -> Project:
        """Return the project of the call; raises NoProject if nothing names it."""
        start = None if self.directory else served_directory(self.session)
        return find_project(self.directory, start, naming="project_dir")


def use_memory(use_case: Callable[..., Any], template: str, caller: Caller, given: Arguments) -> Answer:
    """Run a use case that reads or writes the memory."""
    values = given.model_dump(exclude={"project_dir"})
    answer = use_case(caller.location(), **values, now=datetime.now(UTC))
    text = render_answer(template, answer)
    answer.pop("text", None)  # the document once more
    return answer, text


def search(caller: Caller, given: SearchArguments) -> Answer:
    """Run `mem_search`."""
    answer = mem_search(caller.location(), **given.model_dump())
    return answer, render_answer("memory_search", answer)


def log(caller: Caller, given: LogArguments) -> Answer:
    """Run `progress_log`; the answer repeats nothing that the agent has just written."""
    logged = log_entry(
        caller.project(), given.type, description=given.description, task_id=given.task_id, spec=given.spec,
        learnings=given.learnings or [], resolves=given.resolves, data=given.data,
        session=caller.session or session_from_environment(), now=datetime.now(UTC),
    )  # fmt: skip
    lines = [f"Logged {entry['type']}: {entry['id']}" for entry in logged.entries]
    data = {"entries": [*map(receipt, logged.entries)], "notes": logged.notes}
    return data, clean("\n".join([*lines, *logged.notes]))


def receipt(entry: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that identify a new entry, without its text."""
    identity = {key: entry[key] for key in RECEIPT_KEYS if key in entry}
    supplements = entry["data"].get("supplements")
    return {**identity, "supplements": supplements} if supplements else identity


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool."""

    name: str
    description: str
    model: type[Arguments]
    run: Callable[[Caller, Any], Answer]
    is_read_only: bool = False


def call(name: str, arguments: dict[str, Any], meta: dict[str, Any]) -> Answer:
    """Check the arguments of a call and run it. Raises ToolError."""
    tool, session = TOOLS[name], meta.get(CALL_SESSION_KEY)
    try:
        given = tool.model.model_validate(arguments)
        directory = getattr(given, "project_dir", None)
        return tool.run(Caller(directory, session if isinstance(session, str) else None), given)
    except ValidationError as error:
        raise ToolError(explain(error)) from None
    except AgentProgressError as error:
        raise ToolError(clean(str(error))) from error
    except Exception as error:
        error_log.note(f"mcp {name}", error)
        raise


def explain(error: ValidationError) -> str:
    """Return one line for the agent about arguments that were refused."""
    problems = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()]
    return f"{'; '.join(problems)}; nothing was changed"


_TABLE = (
    Tool(
        "mem_progress",
        "Read (no content) or write the progress document.",
        ProgressArguments,
        partial(use_memory, mem_progress, "memory_progress"),
    ),
    Tool(
        "mem_compact",
        "List old observations; with compact_ids replace them by a summary.",
        CompactArguments,
        partial(use_memory, mem_compact, "memory_compact"),
    ),
    Tool("mem_save", "Keep an observation.", SaveArguments, partial(use_memory, mem_save, "memory_save")),
    Tool("mem_search", "Find observations and history by words.", SearchArguments, search, is_read_only=True),
    Tool("progress_log", "Append to the progress log.", LogArguments, log),
)
TOOLS = {tool.name: tool for tool in _TABLE}
"""All tools by name, in the order in which they are listed."""
