"""One event that a client reports to a hook."""

from __future__ import annotations

import os

from progress_plugin.core.clients import PATH_FIELDS, PROJECT_VARIABLE, READING_TOOLS, Client

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class HookEvent:
    """The name of an event, the client, and the members of the JSON object on standard input.

    Fields are taken from the object itself and from its `tool_input`, never from deeper.
    """

    __slots__ = ("client", "fields", "name")

    def __init__(self, name: str, client: Client, fields: dict[str, Any]) -> None:
        self.name = name
        self.client = client
        self.fields = fields

    def text(self, name: str) -> str:
        """Return a text member; empty if it is missing or not a text."""
        value = self.fields.get(name)
        return value if isinstance(value, str) else ""

    @property
    def session(self) -> str | None:
        """The id of the client's session."""
        return self.text("session_id") or self.text("conversation_id") or None

    @property
    def cwd(self) -> str:
        """The working directory that the input names; empty if it names none."""
        return self.text("cwd")

    @property
    def start(self) -> str | None:
        """The real path of the directory that the client works in."""
        roots = self.fields.get("workspace_roots")
        root = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""
        named = os.environ.get(PROJECT_VARIABLE) or root or self.cwd
        try:
            return os.path.realpath(named) if named else None
        except ValueError:  # a null character
            return None

    @property
    def path(self) -> str:
        """The path of the file that a tool read or wrote; empty for any other tool."""
        return self._of_tool(*PATH_FIELDS)

    @property
    def command(self) -> str:
        """The command that a shell tool ran; empty for any other tool."""
        return self._of_tool("command")

    @property
    def only_reads(self) -> bool:
        """Whether the tool changes nothing."""
        return self.text("tool_name") in READING_TOOLS

    def _of_tool(self, *names: str) -> str:
        tool_input = self.fields.get("tool_input")
        for members in (self.fields, tool_input if isinstance(tool_input, dict) else {}):
            for name in names:
                value = members.get(name)
                if isinstance(value, list):  # some clients pass a command as a list of words
                    value = " ".join(word for word in value if isinstance(word, str))
                if isinstance(value, str) and value:
                    return value
        return ""
