"""Where the answers about a project's learnings are kept between processes (`core.memo`)."""

from __future__ import annotations

import marshal
import os
from functools import lru_cache

from progress_plugin import authored, learnings, log, model, passages, summary, text, worth
from progress_plugin.core import memo
from progress_plugin.core.files import content_digest
from progress_plugin.core.memo import Memo
from progress_plugin.core.paths import user_cache
from progress_plugin.text.redact import redact, redact_value

_CODE = tuple(
    folder
    for package in (authored, learnings, log, model, passages, summary, text, worth)
    for folder in package.__path__
)
"""All that an answer depends on."""


def place(root: str) -> str | None:
    """Return the file for the project at `root`, None without a home.

    It is in the user's cache, where no clone can bring one.
    """
    cache = user_cache()
    return os.path.join(cache, "answers", content_digest(os.fsencode(root)).decode()) if cache else None


def recall(root: str) -> Memo:
    """Return what earlier processes were answered about the logs of the project at `root`."""
    return memo.load(place(root), _CODE)


def keep(root: str, answers: Memo) -> None:
    """Keep what this process was answered, but nothing about a text with a secret in it."""
    memo.save(place(root), _CODE, answers, _may_be_stored)


@lru_cache(maxsize=4096)  # each text is an argument of several functions; a server lives long
def _may_be_stored(argument: object) -> bool:
    if isinstance(argument, bytes):  # entries, as `Memo` has them
        return not redact_value(marshal.loads(argument))[1]  # noqa: S302 - this process has written it
    return not (isinstance(argument, str) and redact(argument)[1])


def forget(root: str) -> None:
    """Remove what is kept for the project at `root`; it is made again by the next start."""
    path = place(root)
    if path and os.path.lexists(path):
        os.unlink(path)
