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
from progress_plugin.log.foreign_entry import is_writer
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
    found = _logged(entries, now) | {claim.key: claim for claim in _leases(data)}
    holding = [claim for claim in found.values() if _holds(claim, now)]
    return sorted(holding, key=lambda claim: (claim.writer is not None, claim.since, claim.key))


def _leases(data: bytes | None) -> list[Claim]:
    try:
        items = json.loads(data or b"[]")
    except (ValueError, RecursionError):
        return []
    if not isinstance(items, list):
        return []
    return [claim for item in items[:MAX_LEASES] if isinstance(item, dict) and (claim := _claim(item))]


def _claim(item: dict[str, Any]) -> Claim | None:
    story, writer = text_of(item, "story"), item.get("writer")
    since, until = moment(item.get("since")), moment(item.get("until"))
    if story is None or since is None or until is None:
        return None
    if writer is not None and not (isinstance(writer, str) and is_writer(writer)):
        return None
    return Claim(shortened(story, MAX_STORY_CHARS), writer, written(since), written(until))


def _logged(entries: Sequence[dict[str, Any]], now: datetime) -> dict[str, Claim]:
    """Return by story the claim that entries make and that holds at `now`: of several writers' the first.

    A release ends its own writer's claim alone, the completion of the story all of them.
    """
    made: dict[str, dict[str, Claim]] = {}
    for entry in entries:
        value = data_of(entry).get(CLAIM)
        is_done = entry.get("type") == "task_completed"
        story = text_of(entry, "task_id") if is_done or isinstance(value, dict) else None
        if story is None:
            continue
        writer, claims = writer_of(entry) or "", made.setdefault(story.casefold(), {})
        if is_done or not isinstance(value, dict):
            claims.clear()
        elif value.get("released") is True:
            claims.pop(writer, None)
        else:
            item = {
                "story": story,
                "writer": writer or None,
                "since": entry.get("timestamp"),
                "until": value.get("until"),
            }
            if (claim := _bounded(_claim(item), now)) is not None:
                claims[writer] = _renewed(claims.get(writer), claim)
    holding = [claim for claims in made.values() for claim in claims.values() if _holds(claim, now)]
    return {claim.key: claim for claim in sorted(holding, key=lambda claim: claim.since, reverse=True)}


def _bounded(claim: Claim | None, now: datetime) -> Claim | None:
    """Return a claim of an entry with the end that it can have; None for one that begins in the future."""
    since = moment(claim.since) if claim else None
    until = moment(claim.until) if claim else None
    if claim is None or since is None or until is None or since > now + MAX_AHEAD:
        return None
    return claim._replace(until=written(min(until, since + MAX_SPAN)))


def _renewed(before: Claim | None, claim: Claim) -> Claim:
    """Return a claim as it is if its writer held the story before: since then, and until later."""
    return claim if before is None or before.until <= claim.since else claim._replace(since=before.since)


def _holds(claim: Claim, now: datetime) -> bool:
    return (moment(claim.until) or now) > now
