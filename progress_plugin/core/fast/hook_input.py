"""What a client says to a hook: flat members of its input, found without `json`."""

from progress_plugin.core.clients import PROJECT_VARIABLE
from progress_plugin.core.fast.minimal_os import physical, value_of

_SIGNS = b"'`\"()<>|&;=$,:!?*{}"
_BLANKS = 20
"""Bytes behind a name in which its colon is."""
_PARTED = bytes(ord(" ") if at in _SIGNS else at for at in range(256))
"""For each byte itself, or a blank where it parts the words of a command."""


def started_in(raw: bytes) -> str | None:
    """Return the directory a client works in: what its environment says, else its input."""
    named = value_of(PROJECT_VARIABLE) or field(raw, b"workspace_roots") or field(raw, b"cwd")
    return physical(named) if named else None


def session_of(raw: bytes) -> str | None:
    """Return the id of the session that an event belongs to."""
    return field(raw, b"session_id") or field(raw, b"conversation_id")


def field(raw: bytes, name: bytes) -> str | None:
    """Return a flat string member of a JSON object, or the first of a list; None where there is none.

    Inside a JSON string every quote is escaped, so the quoted name can be only where a member begins, or be a
    whole value: behind that stands no colon.
    """
    value = _literal(raw, name)
    if b"\\" in value:
        return _unescaped(value)
    return value.decode("utf-8", "replace") or None


def words(raw: bytes, name: bytes) -> list[str]:
    """Return the words of a text member, such as a command, without quotes and signs of a shell.

    Escapes part words like blanks, but for the backslash of a path in Windows: it is lost.
    """
    value = _literal(raw, name)
    for escape in (b"\\n", b"\\t", b"\\r", b'\\"'):
        value = value.replace(escape, b" ")
    return value.translate(_PARTED).decode("utf-8", "replace").split()


def _literal(raw: bytes, name: bytes) -> bytes:
    """Return what is between the quotes of a member, escapes and all; nothing where there is no such text."""
    quoted = b'"' + name + b'"'
    at = raw.find(quoted)
    while at >= 0 and not raw[at + len(quoted) : at + len(quoted) + _BLANKS].lstrip().startswith(b":"):
        at = raw.find(quoted, at + 1)  # it was a value
    if at < 0:
        return b""
    rest = raw[at + len(quoted) : at + len(quoted) + 8198].lstrip()[1:].lstrip(b" \t\r\n[")
    end = rest.find(b'"', 1)
    while end > 0 and rest[end - 1 : end] == b"\\" and _odd_backslashes(rest, end):
        end = rest.find(b'"', end + 1)
    return rest[1:end] if rest[:1] == b'"' and end > 0 else b""


def is_true(raw: bytes, name: bytes) -> bool:
    """Return whether a member of a JSON object is `true`."""
    _, found, rest = raw.partition(b'"' + name + b'"')
    return bool(found) and rest[:20].lstrip().removeprefix(b":").lstrip().startswith(b"true")


def _odd_backslashes(text: bytes, end: int) -> bool:
    return (end - len(text[:end].rstrip(b"\\"))) % 2 == 1


def _unescaped(literal: bytes) -> str | None:
    import json  # noqa: PLC0415 - paths of Windows, and text no one expects in a path

    try:
        value = json.loads(b'"' + literal + b'"')
    except ValueError:
        return None
    return value if isinstance(value, str) and value else None
