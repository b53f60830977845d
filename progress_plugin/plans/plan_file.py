"""A file that may hold a plan: its name, its text, and what is in it, parsed once whoever asks."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable
from functools import cached_property
from typing import Any

from progress_plugin.core.errors import BadInput
from progress_plugin.text.decode import decode
from progress_plugin.text.patterns import LazyPattern

Read = Callable[[str], bytes | None]
"""Gives the bytes of a file by its path relative to the project root, or None where there is none."""

# As the log knows them (`log.git_conflict`): a label may be missing, and git ends its lines as the file does.
_CONFLICT = LazyPattern(r"^(?:<{7}|>{7}|\|{7})(?:[ \r]|$)", re.MULTILINE)
_UNREAD = object()


class PlanFile:
    """A file, by its path relative to the project root; raises BadInput if it is no text."""

    def __init__(self, path: str, data: bytes, read: Read) -> None:
        self.path = path
        self.text = decode(data, path)
        self._read = read
        self._document: Any = _UNREAD

    @cached_property
    def prose(self) -> str:
        """The text as a document, without what is private or a secret across lines."""
        from progress_plugin.text.document_text import without_parts_across_lines  # noqa: PLC0415 - not for JSON

        return without_parts_across_lines(self.text)

    @property
    def name(self) -> str:
        """The file's name in lower case."""
        return posixpath.basename(self.path).lower()

    @property
    def document(self) -> Any:
        """What the text holds as JSON. Raises BadInput, in one line, where it is none."""
        if self._document is _UNREAD:
            self._document = _parsed(self.path, self.text)
        return self._document

    def other(self, path: str) -> Any:
        """Return what another file of the project holds as JSON, or None where that cannot be read."""
        data = self._read(path)
        try:
            return None if data is None else _parsed(path, decode(data, path))
        except BadInput:
            return None  # The reader of the plan says what it misses; the plan itself can be read.


def _parsed(path: str, text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        if _CONFLICT.search(text):
            raise BadInput(f"{path}: holds git conflict markers; resolve the conflict") from None
        where = f"line {error.lineno}, column {error.colno}"
        raise BadInput(f"{path}: not valid JSON at {where} ({error.msg}); correct the file there") from None
    except (ValueError, RecursionError):
        raise BadInput(
            f"{path}: nested too deeply, or holds a number too long to read; simplify it"
        ) from None
