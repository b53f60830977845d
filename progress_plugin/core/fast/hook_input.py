"""What a client says to a hook: flat members of its input, found without `json` (S5.1, S9.1)."""

from progress_plugin.core.clients import PROJECT_VARIABLE
from progress_plugin.core.fast.minimal_os import physical, value_of


def started_in(raw: bytes) -> str | None:
    """Return the directory a client works in: what its environment says, else its input (S5.1)."""
    named = value_of(PROJECT_VARIABLE) or field(raw, b"workspace_roots") or field(raw, b"cwd")
    return physical(named) if named else None


def session_of(raw: bytes) -> str | None:
    """Return the id of the session that an event belongs to."""
    return field(raw, b"session_id") or field(raw, b"conversation_id")


def field(raw: bytes, name: bytes) -> str | None:
    """Return a flat string member of a JSON object, or the first of a list; None where there is none.

    Inside a JSON string every quote is escaped, so the quoted name can be only where a member begins.
    """
    at = raw.find(b'"' + name + b'"')
    if at < 0:
        return None
    rest = raw[at + len(name) + 2 : at + len(name) + 8200].lstrip()
    rest = rest[1:].lstrip(b" \t\r\n[") if rest[:1] == b":" else b""
    end = rest.find(b'"', 1)
    while end > 0 and rest[end - 1 : end] == b"\\" and _odd_backslashes(rest, end):
        end = rest.find(b'"', end + 1)
    value = rest[1:end] if rest[:1] == b'"' and end > 0 else b""
    if b"\\" in value:
        return _unescaped(value)
    return value.decode("utf-8", "replace") or None


def _odd_backslashes(text: bytes, end: int) -> bool:
    return (end - len(text[:end].rstrip(b"\\"))) % 2 == 1


def _unescaped(literal: bytes) -> str | None:
    import json  # noqa: PLC0415 - paths of Windows, and text no one expects in a path

    try:
        value = json.loads(b'"' + literal + b'"')
    except ValueError:
        return None
    return value if isinstance(value, str) and value else None
