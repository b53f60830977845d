"""Find the checks in the recorded sessions that prove the completions of our log.

A check proves a completion if it passed, and began after the last edit of the task's files. No check is run.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from progress_plugin.log.entry import data_of, text_of, texts_of, time_of, writer_of
from progress_plugin.log.store import LogHistory
from progress_plugin.log.timestamp import read_time
from progress_plugin.text.safe_output import item
from progress_plugin.transcripts.record import EDIT, REQUEST, SessionRecord, Step, is_prose, last_runs

MAX_DELAY_S = 5.0  # an entry may be this much newer than the last line of its transcript
VERIFIED, FAILED, UNKNOWN, STALE, UNCHECKED = "verified", "failed", "unknown", "stale", "unchecked"
_MAX_NAMED, _MAX_NAME_CHARS, _MAX_FILES = 3, 50, 20
_REST_OF_SECOND = 0.999  # entries have whole seconds: an edit in the same second counts as earlier


class Completion(NamedTuple):
    """The time at which a session called a task done, and the files that it named."""

    when: float  # seconds since 1970, without a fraction
    files: tuple[str, ...] = ()  # those that a commit or the entry names


class Evidence(NamedTuple):
    """The verdict on a completion."""

    state: str  # `verified`, `failed`, `unknown` result, `stale` (before the last edit), `unchecked`
    checks: tuple[str, ...] = ()  # that show it
    files: tuple[str, ...] = ()  # written for the task, according to the transcript

    def words(self) -> str:
        """Return the verdict as it is shown: `verified: pytest passed`."""
        names = ", ".join(item(name, _MAX_NAME_CHARS) for name in self.checks[:_MAX_NAMED])
        return {
            VERIFIED: f"verified: {names} passed",
            FAILED: f"claimed, {names} failed",
            UNKNOWN: f"claimed, {names} ran, its result is not known",
            STALE: f"claimed, {names} ran before the last edit only",
            UNCHECKED: "claimed, no check seen",
        }[self.state]


def evidence_by_entry(
    log: LogHistory, sessions: Sequence[SessionRecord], most: int | None = None
) -> dict[str, Evidence]:
    """Return by entry id the evidence of the newest `most` completions, or of all, whose session was read."""
    # A merged entry may name the session of a supplement; the task was finished in the session of the first.
    first = {name: entry for entry in reversed(log.log.entries) if (name := text_of(entry, "id"))}
    finished: defaultdict[str, dict[str, Completion]] = defaultdict(dict)
    for entry in list(completions(log))[-most if most else 0 :]:
        name = text_of(entry, "id") or ""
        record = _session_of(first.get(name, entry), sessions)
        done = _completion(entry, record) if record is not None else None
        if name and record is not None and done is not None:
            finished[record.session][name] = done
    found = {
        name: evidence_of(record.steps, done, [each.when for each in finished[record.session].values()])
        for record in sessions
        for name, done in finished[record.session].items()
    }
    return {name: evidence for name, evidence in found.items() if evidence is not None}


def completions(log: LogHistory) -> Iterator[dict[str, Any]]:
    """Yield the entries in which this clone calls a task done, oldest first."""
    for entry in log.effective_entries:
        if entry.get("type") == "task_completed" and writer_of(entry) is None:
            yield entry


def evidence_of(steps: Sequence[Step], done: Completion, others: Collection[float] = ()) -> Evidence | None:
    """Return the evidence for one completion in the ordered steps of a session; None if no step is earlier.

    `others` are the times of the session's other completions. Edits of the task's files up to the next
    completion or request count, even edits after the entry.
    """
    logged = done.when + _REST_OF_SECOND
    if not any(step.when <= logged for step in steps):
        return None
    previous = max((other for other in others if other < done.when), default=-math.inf)
    requests = [step.when for step in steps if step.kind == REQUEST and step.when > logged]
    last = min([other for other in others if other > done.when] + requests, default=math.inf)
    own = _own_files(steps, done, previous + _REST_OF_SECOND, logged)
    end = next((place for place, step in enumerate(steps) if step.when > last and step.outdates_checks), None)
    window = [step for step in steps[:end] if step.when >= previous]
    edits = [
        place
        for place, step in enumerate(steps[:end])
        if step.kind == EDIT and step.what in own and step.when <= last
    ]
    verdict = _verdict(steps[max(edits) + 1 : end] if edits else window)
    overall = _verdict(window)
    # A check that failed before the last edit must pass again: a pass of another check does not replace it.
    if (verdict.state, overall.state) == (VERIFIED, FAILED) or (verdict.state == UNCHECKED != overall.state):
        verdict = overall._replace(state=STALE)
    return verdict._replace(files=tuple(sorted(own))[:_MAX_FILES])


def _completion(entry: dict[str, Any], record: SessionRecord) -> Completion | None:
    """Return the completion that an entry states; None if its session was not yet read up to it."""
    when, data = time_of(entry), data_of(entry)
    read_until = read_time(record.ended)
    is_read = record.over or (when and read_until and (when - read_until).total_seconds() <= MAX_DELAY_S)
    if when is None or not is_read:
        return None
    return Completion(when.timestamp(), (*texts_of(data, "files_modified"), *texts_of(data, "files")))


def _session_of(entry: dict[str, Any], sessions: Sequence[SessionRecord]) -> SessionRecord | None:
    """Return the session that an entry names; if it names none, the only one of that time."""
    name = text_of(data_of(entry), "session_id")
    if name is not None:
        return next((record for record in sessions if record.session == name), None)
    when = text_of(entry, "timestamp") or ""
    # Both are ISO 8601 in UTC; an entry has no fraction of a second.
    around = [record for record in sessions if record.started[:19] <= when[:19] <= record.ended[:19]]
    return around[0] if len(around) == 1 and when.endswith("Z") else None


def _own_files(steps: Sequence[Step], done: Completion, previous: float, logged: float) -> Collection[str]:
    """Return a task's files: the named, else those since the previous completion, else all; prose last."""
    written = [step for step in steps if step.kind == EDIT and step.when <= logged]
    own = (
        {step.what for step in written if step.what in done.files}
        or {step.what for step in written if step.when > previous}
        or {step.what for step in written}
    )
    return {path for path in own if not is_prose(path)} or own


def _verdict(steps: Sequence[Step]) -> Evidence:
    """Judge the last run of each check: a failure decides, then a pass, then an unknown result."""
    last = [*last_runs(steps).values()]
    for state, passed in ((FAILED, False), (VERIFIED, True), (UNKNOWN, None)):
        if found := [run for run in reversed(last) if run.passed is passed]:
            return Evidence(state, tuple(run.what for run in found))
    return Evidence(UNCHECKED)
