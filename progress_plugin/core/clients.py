"""The supported clients (coding agents): their differences, and the events that they report.

docs/clients.md says what was observed in each client.
"""

import os

from progress_plugin.core import fast_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Client:
    """A client: the hook output it accepts and the events it reports; class attributes are the defaults."""

    shows_user_message = False  # the client shows `systemMessage` to the user
    takes_tool_context = True  # the agent receives the context that a hook returns after a tool use
    tool_context_event = ""  # the only tool event that may return context, as the client spells it; or any
    reports_turn_end = True  # if not, plans and logs are compared at the end of the session
    reports_session_end = True  # if not, the transcript is read at the end of each turn
    has_bin_on_path = False  # the plugin's `bin` is on the PATH of the agent's shell
    has_shared_transcripts = False  # one folder holds the transcripts of all projects
    edits_by_shell = False  # the agent reads and edits files by shell commands

    def __init__(self, name: str, title: str, output_format: str, **unusual: bool | str) -> None:
        self.name = name
        self.title = title
        self.output_format = output_format  # see `_with_context`
        for attribute, value in unusual.items():
            setattr(self, attribute, value)


_TABLE = (
    Client("claude", "Claude Code", "nested", shows_user_message=True, has_bin_on_path=True),
    Client("codex", "Codex CLI", "nested", has_shared_transcripts=True, edits_by_shell=True),
    Client("copilot", "Copilot CLI", "flat", has_shared_transcripts=True),
    Client(
        "gemini", "Gemini CLI", "nested",
        takes_tool_context=False, reports_turn_end=False, has_shared_transcripts=True,
    ),
    Client("opencode", "OpenCode", "flat", reports_session_end=False, has_shared_transcripts=True),
    Client("cursor", "Cursor", "cursor", tool_context_event="postToolUse"),
    Client("another", "", "nested", has_bin_on_path=True),
)  # fmt: skip
CLIENTS = {client.name: client for client in _TABLE}
"""The clients by name; `another` is an unknown client, which gets the most common output."""

_CLIENT_OF_VARIABLE = (
    ("CURSOR_PLUGIN_ROOT", "cursor"),
    ("CURSOR_VERSION", "cursor"),
    ("COPILOT_PLUGIN_ROOT", "copilot"),
    ("PLUGIN_ROOT", "codex"),
    ("GEMINI_PROJECT_DIR", "gemini"),
    ("CLAUDECODE", "claude"),
    ("COPILOT_CLI", "copilot"),
    ("GEMINI_CLI", "gemini"),
)
"""Environment variables that identify the client, the most reliable first.

Several clients also set Claude Code's variables, and a client that another client's shell starts inherits
the variables of that shell. So variables that are set only for a plugin's hooks come first.
"""

PROJECT_VARIABLE = "CLAUDE_PROJECT_DIR"  # the project in the hooks of most clients, not only of Claude Code
SERVER_VARIABLE = "AGENT_PROGRESS_PROJECT_DIR"  # the same for an MCP server: set by our manifests or the user
SESSION_VARIABLES = ("COPILOT_AGENT_SESSION_ID", "CODEX_SESSION_ID", "CLAUDE_CODE_SESSION_ID")
"""In these variables a client gives the id of the session to a shell command or an MCP server."""
PLUGIN_CWD_VARIABLES = (SERVER_VARIABLE, "COPILOT_AGENT_SESSION_ID")
"""One of these is set if the client may start an MCP server in the plugin's directory."""
CALL_SESSION_KEY = "sessionId"  # the member of an MCP call's `_meta` that names the session

CLAUDE_CONFIG_DIR = "CLAUDE_CONFIG_DIR"
COPILOT_HOME = "COPILOT_HOME"
OPENCODE_DB = "OPENCODE_DB"

PATH_FIELDS = ("file_path", "notebook_path", "path")  # fields of a tool's input that name a file
READING_TOOLS = ("Read", "NotebookRead", "View", "view", "read", "read_file")


class HookEvent:
    """The name of an event, the client, and the members of the JSON object on standard input.

    Fields are taken from the object itself and from its `tool_input`, never from deeper.
    """

    __slots__ = ("client", "fields", "name")

    def __init__(self, name: str, client: Client, fields: "dict[str, Any]") -> None:
        self.name = name
        self.client = client
        self.fields = fields

    def text(self, name: str) -> str:
        """Return a text member; empty if it is missing or not a text."""
        value = self.fields.get(name)
        return value if isinstance(value, str) else ""

    @property
    def session(self) -> str | None:
        return self.text("session_id") or self.text("conversation_id") or None

    @property
    def directory(self) -> str | None:
        """The real path of the directory that the client works in."""
        roots = self.fields.get("workspace_roots")
        root = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""
        named = os.environ.get(PROJECT_VARIABLE) or root or self.text("cwd")
        try:
            return os.path.realpath(named) if named else None
        except ValueError:  # a null character
            return None

    @property
    def path(self) -> str:
        """The path in a tool's input, usually of the file that it read or wrote; empty if it has none."""
        return self._tool_text(*PATH_FIELDS)

    @property
    def command(self) -> str:
        """The `command` in a tool's input, which shell tools have; empty if it has none."""
        return self._tool_text("command")

    @property
    def only_reads(self) -> bool:
        return self.text("tool_name") in READING_TOOLS

    def _tool_text(self, *names: str) -> str:
        tool_input = self.fields.get("tool_input")
        for members in (self.fields, tool_input if isinstance(tool_input, dict) else {}):
            for name in names:
                value = members.get(name)
                if isinstance(value, list):  # some clients pass a command as a list of words
                    value = " ".join(word for word in value if isinstance(word, str))
                if isinstance(value, str) and value:
                    return value
        return ""


def current_client(named: str | None, variables: set[str]) -> Client:
    """Return the client called `named`, else the client that these environment variables identify."""
    if named in CLIENTS:
        return CLIENTS[named]
    return CLIENTS[next((name for variable, name in _CLIENT_OF_VARIABLE if variable in variables), "another")]


END_OF_CONTEXT = "(end of agent-progress)"  # last line of the context of a hook


def session_start_output(client: Client, context: str, user_message: str) -> bytes:
    """Return the output of a SessionStart hook; empty if there is nothing to show."""
    output = _with_context(client, "SessionStart", context)
    if user_message and client.shows_user_message:
        output["systemMessage"] = user_message
    return fast_json.dumps(output).encode("utf-8", "replace") if output else b""


def tool_output(client: Client, context: str) -> bytes:
    """Return the output of a hook after a tool use."""
    return fast_json.dumps(_with_context(client, "PostToolUse", context)).encode("utf-8", "replace")


def _with_context(client: Client, event: str, context: str) -> "dict[str, Any]":
    if not context:
        return {}
    context = f"{context.rstrip()}\n{END_OF_CONTEXT}\n"
    if client.output_format == "nested":
        return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": context}}
    return {"additional_context" if client.output_format == "cursor" else "additionalContext": context}


def session_from_environment() -> str | None:
    """Return the id of the session a command runs in; None if its client does not set it."""
    return next((session for name in SESSION_VARIABLES if (session := os.environ.get(name))), None)
