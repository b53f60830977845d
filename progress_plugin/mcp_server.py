"""The MCP server: lists the tools, hands each call to its use case, answers with text and data.

The SDK's low-level server, because its MCPServer parses strings that look like JSON before a tool sees them
(a document would not come back byte for byte), and puts its own prefix before our messages.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from progress_plugin.core.clients import CALL_SESSION_KEY
from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.fast.mcp_handshake import Handed, Wire
from progress_plugin.core.fast.served_project import served_directory
from progress_plugin.core.fast.server_introduction import Introduction
from progress_plugin.core.project import Project, find_project
from progress_plugin.core.version import VERSION
from progress_plugin.log.entry import ENTRY_TYPES
from progress_plugin.mcp_requests import Answers, Requests
from progress_plugin.text.safe_output import clean
from progress_plugin.usecases.memory import answer_text
from progress_plugin.usecases.memory.arguments import optional
from progress_plugin.usecases.memory.location import MemoryLocation, memory_location
from progress_plugin.usecases.server_instructions import told as tell

_NAMING = "project_dir"
_INTERRUPTED = 130
Answer = tuple[dict[str, Any], str]
"""Structured content and text."""


@dataclass(frozen=True, slots=True)
class Caller:
    """What a call says of where it comes from."""

    directory: str | None = None
    """The project's root, where the call names one."""
    session: str | None = None
    """The client's session, where it says so with each call."""

    def place(self) -> MemoryLocation:
        """Return the place of a memory call."""
        return memory_location(self.directory, self.session, naming=_NAMING)

    def project(self) -> Project:
        """Return the project of a call; raises NoProject where nothing names it."""
        start = None if self.directory else served_directory(self.session)
        return find_project(self.directory, start, naming=_NAMING)


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One tool: what the client is shown, and what a call does."""

    name: str
    description: str
    properties: dict[str, dict[str, Any]]
    required: tuple[str, ...]
    call: Callable[[Caller, dict[str, Any]], Answer]
    """Takes who calls, and the arguments."""
    read_only: bool = False

    def tool(self) -> types.Tool:
        """Return the tool as the protocol lists it."""
        schema = {"type": "object", "properties": self.properties, "required": list(self.required)}
        hints = types.ToolAnnotations(read_only_hint=True) if self.read_only else None
        return types.Tool(
            name=self.name, description=self.description, input_schema=schema, annotations=hints
        )


def _progress(caller: Caller, given: dict[str, Any]) -> Answer:
    from progress_plugin.usecases.memory.mem_progress import mem_progress  # noqa: PLC0415 - the start must be quick

    answer = mem_progress(
        caller.place(), given.get("project"), given.get("content"), session_id=given.get("session_id"),
        namespace=given.get("namespace"), base_revision=given.get("base_revision"), now=datetime.now(UTC),
    )  # fmt: skip
    text = answer_text.progress_text(answer)
    answer.pop("text", None)
    return answer, text


def _compact(caller: Caller, given: dict[str, Any]) -> Answer:
    from progress_plugin.usecases.memory.mem_compact import mem_compact  # noqa: PLC0415

    answer = mem_compact(caller.place(), given.pop("older_than_days"), **given, now=datetime.now(UTC))
    return answer, answer_text.compact_text(answer)


def _save(caller: Caller, given: dict[str, Any]) -> Answer:
    from progress_plugin.usecases.memory.mem_save import mem_save  # noqa: PLC0415

    place, kind = caller.place(), given.pop("type")
    answer = mem_save(place, given.pop("title"), given.pop("content"), kind, **given, now=datetime.now(UTC))
    return answer, answer_text.save_text(answer)


def _search(caller: Caller, given: dict[str, Any]) -> Answer:
    from progress_plugin.usecases.memory.mem_search import mem_search  # noqa: PLC0415

    answer = mem_search(caller.place(), given.pop("query"), kind=given.pop("type", None), **given)
    return answer, answer_text.search_text(answer)


def _log(caller: Caller, given: dict[str, Any]) -> Answer:
    from progress_plugin.usecases.recording.log_entry import log_entry, session_from_environment  # noqa: PLC0415

    learnings, data = (_unwrapped(given.pop(name, None)) for name in ("learnings", "data"))
    learnings = [learnings] if isinstance(learnings, str) else learnings or []
    if not isinstance(learnings, list):
        raise BadInput("learnings must be a list of texts; nothing was logged")
    logged = log_entry(
        caller.project(),
        given.pop("type"),
        now=datetime.now(UTC),
        learnings=learnings,
        data=data,
        session=caller.session or session_from_environment(),
        **given,
    )
    lines = [f"Logged {entry['type']}: {entry['id']}" for entry in logged.entries]
    return {"entries": [*map(_receipt, logged.entries)], "notes": logged.notes}, clean(
        "\n".join([*lines, *logged.notes])
    )


_RECEIPT = ("id", "timestamp", "type", "task_id", "spec")


def _receipt(entry: dict[str, Any]) -> dict[str, Any]:
    """Return what an agent needs of an entry that it has just given: not its own words once more.

    Clients put this in front of the model, and by the rest only our own readers tell entries apart.
    """
    adds_to = entry["data"].get("supplements")
    told = {name: entry[name] for name in _RECEIPT if name in entry}
    return {**told, "supplements": adds_to} if adds_to else told


def _unwrapped(value: Any) -> Any:
    """Return a list or object that a client sent as text; some send all nested values so."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("[", "{"):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


_TEXT = {"type": "string"}
_NUMBER = {"type": "integer"}


def _text(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}


_EVERY = _text('"*": all')


MEMORY_TOOLS = (
    ToolSpec(
        "mem_progress",
        "Read (no content) or write the progress document.",
        {
            "project": _TEXT,
            "content": {"type": ["object", "string"]},
            "session_id": _TEXT,
            "namespace": _TEXT,
            "base_revision": {"type": "integer", "description": "as read"},
            "project_dir": _TEXT,
        },
        ("project",),
        _progress,
    ),
    ToolSpec(
        "mem_compact",
        "List old observations; with compact_ids replace them by a summary.",
        {
            "older_than_days": {"type": "number"},
            "project": _TEXT,
            "scope": _TEXT,
            "namespace": _TEXT,
            "compact_ids": {"type": ["array", "string"], "items": _NUMBER},
            "summary_title": _TEXT,
            "summary_content": _TEXT,
            "session_id": _TEXT,
            "limit": _NUMBER,
        },
        ("older_than_days",),
        _compact,
    ),
    ToolSpec(
        "mem_save",
        "Keep an observation.",
        {
            "title": _TEXT,
            "content": _TEXT,
            "type": _text("decision, bugfix..."),
            "project": _TEXT,
            "scope": _TEXT,
            "topic_key": _text("repeated: new revision"),
        },
        ("title", "content", "type"),
        _save,
    ),
    ToolSpec(
        "mem_search",
        "Find observations and history by words.",
        {"query": _TEXT, "project": _EVERY, "type": _TEXT, "limit": _NUMBER},
        ("query",),
        _search,
        read_only=True,
    ),
)

TOOLS = (
    *MEMORY_TOOLS,
    ToolSpec(
        "progress_log",
        "Append to the progress log.",
        {
            "type": {"type": "string", "enum": list(ENTRY_TYPES)},
            "description": _TEXT,
            "task_id": _TEXT,
            "spec": _TEXT,
            "learnings": {"type": "array", "items": _TEXT},
            "resolves": _text("blocker's id"),
            "data": {"type": "object"},
            "project_dir": _TEXT,
        },
        ("type", "description"),
        _log,
    ),
)
"""The tools of the server, in the order in which they are listed."""


def answer(
    specs: tuple[ToolSpec, ...], name: str, given: dict[str, Any], session: str | None = None
) -> Answer:
    """Check the arguments of a call against its schema, find its place, and make it.

    Raises AgentProgressError as the use cases do, BadInput for an unknown tool or argument and a missing one.
    """
    spec = next((spec for spec in specs if spec.name == name), None)
    if spec is None:
        raise BadInput(f"there is no tool {name}; there are {', '.join(spec.name for spec in specs)}")
    unknown = sorted(set(given) - set(spec.properties))
    if unknown:
        raise BadInput(f"{name} has no argument {', '.join(unknown)}; it has {', '.join(spec.properties)}")
    absent = [argument for argument in spec.required if given.get(argument) is None]
    if absent:
        raise BadInput(f"{name} needs {', '.join(absent)}; nothing was changed")
    arguments = dict(given)
    directory = optional(arguments.pop("project_dir", None), "project_dir")
    return spec.call(Caller(directory, session), arguments)


def build(told: Introduction) -> Server[Any]:
    """Return the server with these instructions about the project."""
    specs = TOOLS if told.has_memory else tuple(spec for spec in TOOLS if spec not in MEMORY_TOOLS)

    async def list_tools(
        _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[spec.tool() for spec in specs])

    async def call_tool(
        _context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        session = (params.meta or {}).get(CALL_SESSION_KEY)
        told = session if isinstance(session, str) else None
        call = partial(answer, specs, params.name, params.arguments or {}, told)
        try:
            data, text = await anyio.to_thread.run_sync(call)
        except AgentProgressError as error:
            return types.CallToolResult(
                content=[types.TextContent(type="text", text=clean(str(error)))], is_error=True
            )
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text)], structured_content=data
        )

    return Server(
        "progress", version=VERSION, instructions=told.instructions,
        on_list_tools=list_tools, on_call_tool=call_tool,
    )  # fmt: skip


async def serve(handed: Handed) -> None:
    """Serve on standard input and output until the client closes them."""
    server = build(handed.told or tell())
    answers = Answers(handed)
    requests = Requests(handed, answers)
    async with stdio_server(requests.as_file(), answers.as_file()) as (incoming, outgoing):
        requests.answered_by(outgoing)
        await server.run(incoming, outgoing, server.create_initialization_options())


def main(handed: Handed | None = None) -> None:
    """Run the server; returns when the client has gone. `handed` is what the handshake has dealt with.

    An interrupt ends it at once: a thread that waits for the next request would hear of it with that only,
    and what is being written is one transaction.
    """
    signal.signal(signal.SIGINT, lambda *_: os._exit(_INTERRUPTED))
    anyio.run(serve, handed or Handed(Wire(), None))


if __name__ == "__main__":
    main()
