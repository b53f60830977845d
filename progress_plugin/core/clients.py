"""The one table of what differs between the clients: how hook output must be shaped (S9.4)."""


class Client:
    """How one coding agent wants a hook's context, and what else it can show."""

    __slots__ = ("closing", "name", "opening", "shows_user_line")

    def __init__(self, name: str, opening: bytes, closing: bytes, *, shows_user_line: bool = False) -> None:
        self.name = name
        self.opening = opening
        self.closing = closing
        self.shows_user_line = shows_user_line


_NESTED = b'{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":'

CLIENTS = {
    "claude": Client("claude", _NESTED, b"}", shows_user_line=True),
    "codex": Client("codex", _NESTED, b"}"),
    "copilot": Client("copilot", b'{"additionalContext":', b""),
    "gemini": Client("gemini", _NESTED, b"}"),
    "cursor": Client("cursor", b'{"additional_context":', b""),
}

_MARKS = (
    ("CURSOR_PLUGIN_ROOT", "cursor"),
    ("CURSOR_VERSION", "cursor"),
    ("COPILOT_CLI", "copilot"),
    ("COPILOT_PLUGIN_ROOT", "copilot"),
    ("CLAUDECODE", "claude"),
    ("GEMINI_CLI", "gemini"),
)
"""Environment variables that tell the client, the most telling first: others set Claude's names, too."""


def current_client(named: str | None, variables: set[str]) -> Client:
    """Return the client we run under: the one an argument names, else the one the environment shows.

    An unknown one gets the nested shape and nothing beside it, which most of them understand.
    """
    if named in CLIENTS:
        return CLIENTS[named]
    return CLIENTS[next((name for variable, name in _MARKS if variable in variables), "codex")]


def session_start_output(client: Client, context: bytes, user_line: bytes) -> bytes:
    """Return the hook's output from two JSON string literals; an empty one is left out."""
    line = b'"systemMessage":' + user_line if user_line and client.shows_user_line else b""
    if not context:
        return b"{" + line + b"}" if line else b""
    body = client.opening + context + client.closing
    return body + b"," + line + b"}" if line else body + b"}"


def literal(text: str) -> bytes:
    """Return a text as a JSON string literal in UTF-8; no bytes at all for an empty one."""
    import json  # noqa: PLC0415 - a ready output needs none

    return json.dumps(text, ensure_ascii=False).encode("utf-8", "replace") if text else b""
