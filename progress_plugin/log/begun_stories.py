"""Stories that were begun in this clone and that the next sync is to claim on the team's server."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import NamedTuple

from progress_plugin.core.files import content_digest
from progress_plugin.log import team_state

BEGUN = f"{team_state.FOLDER}/begun"
_MOST = 20
_LONGEST_STORY = 200
"""Characters, as `log.claims` has it, which is more to load in a hook."""
_MARK_DIGITS = 12


class BegunStory(NamedTuple):
    """A story that was begun here."""

    story: str
    session: str
    """A digest of the client's session."""
    when: int
    """Seconds since 1970."""


def session_mark(session: str | None) -> str:
    """Return what tells sessions of one clone apart; the client's own id is no business of the server's."""
    return content_digest(session.encode("utf-8", "replace"))[:_MARK_DIGITS].decode() if session else ""


def note(directory: str, stories: Sequence[str], session: str | None) -> bool:
    """Put stories down for the next sync; False where this clone takes no part, or none can be claimed.

    Of two at once one may be missed: claiming is a courtesy, the plan says what is in progress. Raises as
    `write_atomic`.
    """
    named = [story for story in stories if 0 < len(story) <= _LONGEST_STORY and story.isprintable()]
    if not named or team_state.load(directory) is None:
        return False
    mark, now = session_mark(session), int(time.time())
    _keep(directory, [*waiting_stories(directory), *(BegunStory(story, mark, now) for story in named)])
    return True


def waiting_stories(directory: str) -> list[BegunStory]:
    """Return what was put down, each once, in its order."""
    try:
        told = json.loads(team_state.read(directory, BEGUN) or b"[]")
    except (ValueError, RecursionError):
        return []
    found: dict[BegunStory, None] = {}
    for item in told if isinstance(told, list) else []:
        match item:
            case [str() as story, str() as mark, int() as when]:
                found[BegunStory(story, mark, when)] = None
    return list(found)


def forget(directory: str, asked: Sequence[BegunStory]) -> None:
    """Take stories off the list that were asked for. Raises as `write_atomic`."""
    _keep(directory, [each for each in waiting_stories(directory) if each not in asked])


def _keep(directory: str, stories: Sequence[BegunStory]) -> None:
    team_state.write(directory, BEGUN, json.dumps(stories[-_MOST:]).encode() + b"\n")
