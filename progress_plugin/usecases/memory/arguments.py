"""Check the text arguments of the memory tools. Server and command line have checked the types."""

from __future__ import annotations

from progress_plugin.core.errors import BadInput
from progress_plugin.memory.size_limit import MAX_NAME_BYTES, refuse_too_long

EVERY_PROJECT = "*"
SCOPES = ("project", "personal")


def required(value: str | None, name: str, at_most: int = MAX_NAME_BYTES) -> str:
    """Return a text without blanks around it; raises BadInput as `optional` does, and for a blank one."""
    text = optional(value, name, at_most)
    if text is None:
        raise BadInput(f"{name} is required, a text that is not blank; nothing was changed")
    return text


def optional(value: str | None, name: str, at_most: int | None = MAX_NAME_BYTES) -> str | None:
    """Return a text without blanks around it, None for a blank one.

    Raises BadInput if it has more than `at_most` bytes or cannot be written as UTF-8.
    """
    text = value or ""
    if at_most is not None:
        refuse_too_long(text, name, at_most)
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise BadInput(f"{name} is not valid UTF-8; nothing was changed")
    return text.strip() or None


def scope(value: str | None) -> str | None:
    """Return one of `SCOPES`, or None; raises BadInput for another."""
    name = (optional(value, "scope") or "").lower()
    if name not in ("", *SCOPES):
        raise BadInput(f"scope must be {' or '.join(SCOPES)}; nothing was changed")
    return name or None


def one_project(name: str | None) -> str | None:
    """Return the name of a project to write to; raises BadInput for `*`, which means all."""
    if name == EVERY_PROJECT:
        raise BadInput('project "*" stands for all of them when they are read; name one, nothing was changed')
    return name
