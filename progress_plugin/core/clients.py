"""What differs between the clients in hooks, server and variables; docs/clients.md has what was seen.

Which events a client sends is in `hooks/hooks.json`, `hooks/cursor.json` and `opencode/plugin.js`.

The fast paths read it, so it imports nothing.

How each is told to install and remove the plugin is in `usecases.registration.registrars`.
"""


class Client:
    """How one coding agent wants a hook's context, and what it does not report to us."""

    __slots__ = (
        "answers_stop",
        "closing",
        "ends_with",
        "finds_command",
        "keeps_together",
        "name",
        "opening",
        "shows_user_line",
        "signals",
        "tells_of_turns",
        "tells_server_nothing",
        "title",
        "tool_event",
        "tool_opening",
        "whole_at_turns",
        "works_by_shell",
    )

    def __init__(  # noqa: PLR0913 - a row of the table
        self,
        name: str,
        opening: bytes,
        closing: bytes = b"",
        *,
        title: str = "",
        signals: str = "",
        shows_user_line: bool = False,
        tells_of_turns: bool = True,
        tells_server_nothing: bool = False,
        finds_command: bool = False,
        answers_stop: bool = False,
        keeps_together: bool = False,
        whole_at_turns: bool = False,
        ends_with: str = "",
        tool_event: str = "",
        tool_opening: bytes = b"",
        works_by_shell: bool = False,
    ) -> None:
        self.name = name
        self.opening = opening
        self.closing = closing
        self.title = title
        self.signals = signals
        """What can report finished work there, in words."""
        self.shows_user_line = shows_user_line
        self.tells_of_turns = tells_of_turns
        """Whether a hook of ours runs at the end of a turn; else the end of the session has to do."""
        self.tells_server_nothing = tells_server_nothing
        """Whether its MCP server runs in the plugin's directory: a start then keeps where the project is."""
        self.finds_command = finds_command
        """Whether it puts the plugin's `bin` on the PATH of the agent's shell, as far as anybody knows."""
        self.answers_stop = answers_stop
        """Whether its agent goes on for the reason that a hook gives at the end of a turn, as was seen."""
        self.keeps_together = keeps_together
        """Whether it keeps the transcripts of all projects in one place: a start then notes the session."""
        self.whole_at_turns = whole_at_turns
        """Whether a session is read at the end of each turn: no event tells of its own end."""
        self.ends_with = ends_with
        """The type of a transcript's last record, of a client that writes it after it has told of the end."""
        self.tool_opening = tool_opening
        """How a context begins that its agent gets after a tool's use; empty where it gets none."""
        self.tool_event = tool_event
        """Its own name of the only event of which it takes that; empty for every use of a tool."""
        self.works_by_shell = works_by_shell
        """Whether its agent reads and edits files by commands of a shell."""


_NESTED = b'{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":'
_FLAT = b'{"additionalContext":'
_NESTED_AT_TOOL = _NESTED.replace(b"SessionStart", b"PostToolUse")

CLIENTS = {
    client.name: client
    for client in (
        Client(
            "claude",
            _NESTED,
            b"}",
            tool_opening=_NESTED_AT_TOOL,
            shows_user_line=True,
            finds_command=True,
            answers_stop=True,
            title="Claude Code",
            signals="edits, commits, finished tasks, ends of turns and of the session",
        ),
        Client(
            "codex",
            _NESTED,
            b"}",
            tool_opening=_NESTED_AT_TOOL,
            works_by_shell=True,
            tells_server_nothing=True,
            answers_stop=True,
            keeps_together=True,
            title="Codex CLI",
            signals="commits and ends of turns, once the hooks are reviewed in /hooks",
        ),
        Client(
            "copilot",
            _FLAT,
            tool_opening=_FLAT,
            tells_server_nothing=True,
            answers_stop=True,
            keeps_together=True,
            ends_with="session.shutdown",
            title="Copilot CLI",
            signals="edits, commits, ends of turns and of the session",
        ),
        Client(
            "gemini",
            _NESTED,
            b"}",
            tells_of_turns=False,
            keeps_together=True,
            title="Gemini CLI",
            signals="the end of the session",
        ),
        Client(
            "opencode",
            _FLAT,
            tool_opening=_FLAT,
            title="OpenCode",
            signals="edits, commits and ends of turns",
            keeps_together=True,
            whole_at_turns=True,
        ),
        Client(
            "cursor",
            b'{"additional_context":',
            tool_event="postToolUse",
            tool_opening=b'{"additional_context":',
            title="Cursor",
            signals="edits, commands, ends of turns and of the session, by its documentation",
        ),
        Client("another", _NESTED, b"}", tool_opening=_NESTED_AT_TOOL, finds_command=True),
    )
}
"""The clients by name, with the shape of the output that each expects of a session start."""

_MARKS = (
    ("CURSOR_PLUGIN_ROOT", "cursor"),
    ("CURSOR_VERSION", "cursor"),
    ("COPILOT_PLUGIN_ROOT", "copilot"),
    ("PLUGIN_ROOT", "codex"),
    ("GEMINI_PROJECT_DIR", "gemini"),
    ("CLAUDECODE", "claude"),
    ("COPILOT_CLI", "copilot"),
    ("GEMINI_CLI", "gemini"),
)
"""Environment variables that identify the client, the surest first.

Others set Claude's names, too. And a client started in the shell of another inherits what that one exports
there, so the names that are set for a plugin's hooks alone come before those.
"""

PROJECT_VARIABLE = "CLAUDE_PROJECT_DIR"
"""Where the project is, in the hooks of most clients, whoever invented the name."""

SERVER_VARIABLE = "AGENT_PROGRESS_PROJECT_DIR"
"""The same for an MCP server: set by our own manifests, or in a client's settings by the user."""

PROJECT_MARKS = (
    ".git", ".hg", ".svn", ".jj", ".agent-os/progress", ".envrc", ".mcp.json", "AGENTS.md", "CLAUDE.md",
    "README.md", "package.json", "pyproject.toml", "Cargo.toml", "go.mod", "Makefile", "prd.json",
)  # fmt: skip
"""Names of which one shows a directory to be the top of somebody's project, cloned or unpacked.

`bin/agent-progress` lists them, too. What clients put into a home, such as ``.claude``, is none.
"""

SESSION_VARIABLES = ("COPILOT_AGENT_SESSION_ID", "CODEX_SESSION_ID", "CLAUDE_CODE_SESSION_ID")
"""The session that a shell command or an MCP server belongs to."""

LOST_SERVER_MARKS = (SERVER_VARIABLE, "COPILOT_AGENT_SESSION_ID")
"""Variables of clients that start an MCP server in the plugin's own directory."""

CALL_SESSION = "sessionId"
"""The member of an MCP call's `_meta` that names the session, where a client says it there."""

SETTINGS_VARIABLE = "CLAUDE_CONFIG_DIR"
"""Where Claude Code's settings of the user are, if not in `~/.claude`."""

HOME_OF_CODEX, HOME_OF_COPILOT = "CODEX_HOME", "COPILOT_HOME"
"""The same for `~/.codex` and `~/.copilot`."""

DATABASE_OF_OPENCODE = "OPENCODE_DB"
"""Which file in its data directory, or elsewhere, holds OpenCode's sessions."""

HOME_VARIABLES = {
    SETTINGS_VARIABLE: "claude",
    HOME_OF_CODEX: "codex",
    HOME_OF_COPILOT: "copilot",
    "GEMINI_CLI_HOME": "gemini",
    "OPENCODE_CONFIG": "opencode",
    "OPENCODE_CONFIG_DIR": "opencode",
    "XDG_CONFIG_HOME": "opencode",
}
"""Every variable that names where a client's settings of the user are, and whose."""

TRUSTED_VARIABLE = "GEMINI_CLI_TRUST_WORKSPACE"
"""What has Gemini install an extension without asking on a terminal whether its directory is trusted."""

TASK_LIST_VARIABLE = "CLAUDE_CODE_ENABLE_TODO_TOOLS"
"""What gives newer models of Claude Code a task list, and us the event of a finished task."""

PATH_FIELDS = (b"file_path", b"notebook_path", b"path")
"""How the tools that read or write a file call its path."""

READING_TOOLS = ("Read", "NotebookRead", "View", "view", "read", "read_file")
"""Tools that change nothing: at these a hook only tells what is known of the file."""


def current_client(named: str | None, variables: set[str]) -> Client:
    """Return the client we run under: the one an argument names, else the one the environment shows.

    An unknown one gets the nested shape and nothing beside it, which most of them understand.
    """
    if named in CLIENTS:
        return CLIENTS[named]
    return CLIENTS[next((name for variable, name in _MARKS if variable in variables), "another")]


def as_claude_code(root: str) -> dict[str, str]:
    """Return the variables that a hook of Claude Code finds in the project at `root`."""
    return {"CLAUDECODE": "1", PROJECT_VARIABLE: root}


def session_start_output(client: Client, context: bytes, user_line: bytes) -> bytes:
    """Return the hook's output from two JSON string literals; an empty one is left out."""
    line = b'"systemMessage":' + user_line if user_line and client.shows_user_line else b""
    if not context:
        return b"{" + line + b"}" if line else b""
    body = client.opening + context + client.closing
    return body + b"," + line + b"}" if line else body + b"}"


def tool_output(client: Client, context: bytes) -> bytes:
    """Return the output of a hook after a tool's use, from a JSON string literal."""
    return client.tool_opening + context + client.closing + b"}"


def literal(text: str) -> bytes:
    """Return a text as a JSON string literal in UTF-8; no bytes at all for an empty one."""
    import json  # noqa: PLC0415 - a ready output needs none

    return json.dumps(text, ensure_ascii=False).encode("utf-8", "replace") if text else b""
