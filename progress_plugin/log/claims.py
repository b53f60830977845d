"""Claims: which story a clone works on, so that no other one takes it.

With a team's server they are leases there, and the last sync keeps them in `team/claims.json`. Without one a
claim is an entry of the log, `data.claim`: it travels with the history, and two may claim at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from progress_plugin.log import team_state
from progress_plugin.log.entry import CLAIM, data_of, text_of, writer_of
from progress_plugin.log.shared_entries import is_writer
from progress_plugin.log.timestamp import moment, written
from progress_plugin.model.claim import Claim
from progress_plugin.text.bounds import shortened

MAX_STORY_CHARS = 200
MAX_SPAN = timedelta(days=30)  # of one claim, also if an entry says more: a clock or a file may be wrong
MAX_AHEAD = timedelta(days=1)  # by which a claim may begin in the future: clocks go ahead
MAX_LEASES = 500


def save_leases(directory: str, leases: Iterable[Claim]) -> bool:
    """Keep the claims of the server; return whether they differ from those before.

    The caller holds `sync_lock`. Raises as `write_atomic`.
    """
    data = json.dumps([claim._asdict() for claim in leases], indent=1).encode() + b"\n"
    if team_state.read(directory, team_state.CLAIMS) == data:
        return False
    team_state.put(directory, team_state.CLAIMS, data)
    return True


def current(data: bytes | None, entries: Sequence[dict[str, Any]], now: datetime) -> list[Claim]:
    """Return the claims that hold at `now`, ours first, then the oldest; the server's before the log's.

    `data` is the content of `team_state.CLAIMS`, `entries` are the log's effective ones.
    """
    try:
        items = json.loads(data or b"[]")
    except (ValueError, RecursionError):
        items = []
    leases = (_claim(item, now) for item in (items if isinstance(items, list) else [])[:MAX_LEASES])
    found = _logged(entries, now) | {claim.key: claim for claim in leases if claim}
    holding = [claim for claim in found.values() if _holds(claim, now)]
    return sorted(holding, key=lambda claim: (claim.writer is not None, claim.since, claim.key))


def _claim(item: Any, now: datetime) -> Claim | None:
    """Return the claim in a JSON object, with the end that it can have; None for anything else."""
    if not isinstance(item, dict):
        return None
    story, writer = text_of(item, "story"), item.get("writer")
    since, until = moment(item.get("since")), moment(item.get("until"))
    if story is None or since is None or until is None or since > now + MAX_AHEAD:
        return None
    if writer is not None and not (isinstance(writer, str) and is_writer(writer)):
        return None
    end = min(until, since + MAX_SPAN)
    return Claim(shortened(story, MAX_STORY_CHARS), writer, written(since), written(end))


def _logged(entries: Sequence[dict[str, Any]], now: datetime) -> dict[str, Claim]:
    """Return by story the claim that entries make and that holds at `now`: of several writers' the first.

    A release ends its own writer's claim alone, the completion of the story all of them. A writer who claims
    a story again before the end has held it since the first time.
    """
    made: dict[str, dict[str | None, Claim]] = {}
    for entry in entries:
        value = data_of(entry).get(CLAIM)
        is_done = entry.get("type") == "task_completed"
        story = text_of(entry, "task_id") if is_done or isinstance(value, dict) else None
        if story is None:
            continue
        writer, claims = writer_of(entry), made.setdefault(story.casefold(), {})
        if is_done or not isinstance(value, dict):
            claims.clear()
        elif value.get("released") is True:
            claims.pop(writer, None)
        else:
            times = {"since": entry.get("timestamp"), "until": value.get("until")}
            claim, before = _claim({"story": story, "writer": writer, **times}, now), claims.get(writer)
            if claim is not None:
                goes_on = before is not None and before.until > claim.since
                claims[writer] = claim._replace(since=before.since) if before and goes_on else claim
    holding = [claim for claims in made.values() for claim in claims.values() if _holds(claim, now)]
    return {claim.key: claim for claim in sorted(holding, key=lambda claim: claim.since, reverse=True)}


def _holds(claim: Claim, now: datetime) -> bool:
    return (moment(claim.until) or now) > now
