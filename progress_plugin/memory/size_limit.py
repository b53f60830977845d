"""How long observations, progress documents and their names may be in the memory.

What is longer is refused and never cut. Arguments are measured as they were sent, before anything is done
with them (`usecases.memory.arguments`, `memory.json_text`); a content once more when it is stored
(`memory.observation`, `insert`).
"""

from __future__ import annotations

from progress_plugin.core.errors import BadInput

MAX_CONTENT_BYTES = 1024 * 1024
"""Bytes of a content as UTF-8."""

MAX_NAME_BYTES = 4096
"""Bytes of a title, a key or any other name; the longest path of a system has as many."""


def refuse_too_long(text: str, name: str = "content", at_most: int = MAX_CONTENT_BYTES) -> None:
    """Raise BadInput, which calls the text by `name`, where it has more than `at_most` bytes."""
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > at_most:
        raise BadInput(f"{name} has {size} bytes, at most {at_most} are kept; nothing was saved, shorten it")
