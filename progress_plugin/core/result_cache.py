"""Results of a slow function of one text, kept in a file for the next process.

Most sections of a log are unchanged since the last start.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from progress_plugin import VERSION
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.files import MAX_BYTES, read_inside, write_atomic

MIN_CHARS = 200  # for a shorter text the function is as fast as the cache


class ResultCache:
    """Results, which are JSON values, of a function of one text. Results that a run does not use are dropped.

    The file is valid for one version of the function's package, data files included.
    """

    def __init__(self, function: Callable[[str], Any], path: str) -> None:
        self._function = function
        self._path = path
        with os.scandir(os.path.dirname(function.__code__.co_filename)) as package:
            self._version = f"{VERSION} {max(each.stat().st_mtime_ns for each in package if each.is_file())}"
        self._before = self._load()
        self._now: dict[str, Any] = {}

    def __call__(self, text: str) -> Any:
        """Return the function's result for a text."""
        if len(text) < MIN_CHARS:
            return self._function(text)
        key = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
        if key not in self._now:
            self._now[key] = self._before[key] if key in self._before else self._function(text)
        return self._now[key]

    def keep(self) -> None:
        """Write the results that were used. If the disk refuses, the next process computes them again."""
        if self._now.keys() == self._before.keys():
            return
        data = json.dumps({"version": self._version, "results": self._now}, separators=(",", ":"))
        with suppress(AgentProgressError, OSError):
            write_atomic(self._path, data.encode("ascii"), durable=False, private=True)

    def _load(self) -> Mapping[str, Any]:
        try:
            kept = json.loads(read_inside(None, self._path, MAX_BYTES) or b"{}")
            return kept["results"] if kept["version"] == self._version else {}
        except (AgentProgressError, OSError, ValueError, LookupError, TypeError, RecursionError):
            return {}
