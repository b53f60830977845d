"""Arguments of the memory tools, as people and models send them: what is refused, and with what words."""

from __future__ import annotations

from progress_plugin.core.errors import BadInput
from progress_plugin.memory.size_limit import MAX_NAME_BYTES, refuse_too_long

EVERY_PROJECT = "*"
SCOPES = ("project", "personal")
"""Whom an observation is for."""


def required(value: object, name: str, at_most: int = MAX_NAME_BYTES) -> str:
    """Return a text that must be there, without blanks around it; raises BadInput where it is not.

    Raises it also for a text of more than `at_most` bytes.
    """
    if not isinstance(value, str) or not value.strip():
        raise BadInput(f"{name} is required, a text that is not blank; nothing was changed")
    return _storable(value, name, at_most).strip()


def optional(value: object, name: str, at_most: int | None = MAX_NAME_BYTES) -> str | None:
    """Return a text without blanks around it, None for a blank one; raises BadInput for what is no text.

    Raises it also for a text of more than `at_most` bytes; None is for one that is measured elsewhere.
    """
    if value is not None and not isinstance(value, str):
        raise BadInput(f"{name} must be a text; nothing was changed")
    return _storable(value or "", name, at_most).strip() or None


def scope(value: object) -> str | None:
    """Return a scope, None for none: one of the two that Hoofy and engram know."""
    told = (optional(value, "scope") or "").lower()
    if told not in ("", *SCOPES):
        raise BadInput(f"scope must be {' or '.join(SCOPES)}; nothing was changed")
    return told or None


def one_project(name: str | None) -> str | None:
    """Return the name of a project to write to; raises BadInput for the one that stands for all of them."""
    if name == EVERY_PROJECT:
        raise BadInput('project "*" stands for all of them when they are read; name one, nothing was changed')
    return name


def whole_number(value: object, name: str) -> int | None:
    """Return a number that is None or an integer; raises BadInput for anything else."""
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise BadInput(f"{name} must be an integer; nothing was changed")
    return value


def _storable(text: str, name: str, at_most: int | None) -> str:
    if at_most is not None:
        refuse_too_long(text, name, at_most)
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        raise BadInput(f"{name} holds bytes that are no UTF-8; nothing was changed")
    return text
