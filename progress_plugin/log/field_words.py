"""What a field of an entry says, with the field's name before it.

Which fields are told beside the sentences of an entry is decided by those that ask: `log.events`,
`log.recent`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from progress_plugin.core.light_typing import Any
from progress_plugin.log.entry import texts_of
from progress_plugin.text.escape_stored import stored_line
from progress_plugin.text.safe_output import joined

_OF_TYPE = {
    "session_started": ("focus_task", "context"),
    "scope_override": ("requested_tasks", "reason"),
    "debug_resolved": ("root_cause", "resolution"),
}
"""Fields in which somebody says what an entry of this type is for (S1.1)."""


def words_of_type(kind: str, data: dict[str, Any], headline: str | None) -> list[str]:
    """Return a line for each of those fields that says something, but not for the one of the headline."""
    return [
        with_name(data, name) for name in _OF_TYPE.get(kind, ()) if name != headline and texts_of(data, name)
    ]


def with_name(data: dict[str, Any], name: str) -> str:
    """Return a field as one line: `Focus task: US-013`."""
    return stored_line(f"{name.replace('_', ' ').capitalize()}: {joined(value_words(data[name]))}")


def value_words(value: Any) -> str:
    """Return a value as text: texts as they are, a list of them parted by semicolons, all else as JSON."""
    if isinstance(value, str):
        return value
    if (
        isinstance(value, Iterable)
        and not isinstance(value, dict)
        and all(isinstance(part, str) for part in value)
    ):
        return "; ".join(value)
    return json.dumps(value, ensure_ascii=False)
