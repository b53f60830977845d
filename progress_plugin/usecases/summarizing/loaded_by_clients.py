"""What the clients load by themselves at a start, so that a start context need not repeat it (S18.4).

Which words of it say a passage already is decided in `worth.coverage`.
"""

from __future__ import annotations

from collections.abc import Iterator

from progress_plugin.core.files.input_records import Inputs
from progress_plugin.text.decode import decode_lenient

_FILES = ("CLAUDE.md", "AGENTS.md", "GEMINI.md")
"""Each of them is loaded by some client, each by its own rule."""
_MOST = 64 * 1024
"""Bytes of each of them that are looked at."""


def texts(inputs: Inputs) -> Iterator[str]:
    """Yield the files of the project that its clients load."""
    for name in _FILES:
        data = inputs.read(name)
        if data:
            yield decode_lenient(data[:_MOST], name)[0]
