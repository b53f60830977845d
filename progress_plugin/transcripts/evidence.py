"""Find the checks in a session's transcript that prove a task which was called done.

A check proves something if it began after the last edit of the task's files. We run nothing ourselves.
"""

import math
from collections.abc import Collection, Sequence
from typing import NamedTuple

from progress_plugin.text.safe_output import item
from progress_plugin.transcripts.record import ASKED, WROTE, Step, is_prose, last_runs

VERIFIED, FAILED, UNKNOWN, STALE, UNCHECKED = "verified", "failed", "unknown", "stale", "unchecked"
_MAX_NAMED, _MAX_NAME_CHARS, _MAX_FILES = 3, 50, 20
_SECOND = 0.999  # entries are dated to the second, so an edit within it came before


class Completion(NamedTuple):
    """The time at which a task was called done in a session, and further facts about it."""

    when: float  # seconds since 1970, without a fraction
    files: tuple[str, ...] = ()  # those that a commit or the entry names


class Evidence(NamedTuple):
    """The known checks of a completed task."""

    state: str  # `verified`, `failed`, `unknown` result, `stale` (before the last edit), `unchecked`
    checks: tuple[str, ...] = ()  # the checks that show it
    files: tuple[str, ...] = ()  # what was written for the task, as far as the transcript shows it

    @property
    def is_proof(self) -> bool:
        """True if a check passed after the last edit, and none failed."""
        return self.state == VERIFIED

    def words(self) -> str:
        """Return it as it is shown: `verified: pytest passed`."""
        names = ", ".join(item(name, _MAX_NAME_CHARS) for name in self.checks[:_MAX_NAMED])
        return {
            VERIFIED: f"verified: {names} passed",
            FAILED: f"claimed, {names} failed",
            UNKNOWN: f"claimed, {names} ran, its result is not known",
            STALE: f"claimed, {names} ran before the last edit only",
            UNCHECKED: "claimed, no check seen",
        }[self.state]


def evidence_of(steps: Sequence[Step], done: Completion, others: Collection[float] = ()) -> Evidence | None:
    """Return the evidence for one completion in the ordered steps of a session; None for one before them.

    `others` are the times of the session's other completions. A completion owns the edits from the one before
    up to the next one, or the next request; it may be mended and checked after it was called done.
    """
    now = done.when + _SECOND
    if not any(step.when <= now for step in steps):
        return None
    earlier = max((other for other in others if other < done.when), default=-math.inf)
    asked = [step.when for step in steps if step.kind == ASKED and step.when > now]
    last = min([other for other in others if other > done.when] + asked, default=math.inf)
    own = _own_files(steps, done, earlier + _SECOND, now)
    end = next((place for place, step in enumerate(steps) if step.when > last and step.outdates_checks), None)
    window = [step for step in steps[:end] if step.when >= earlier]
    edits = [
        place
        for place, step in enumerate(steps[:end])
        if step.kind == WROTE and step.what in own and step.when <= last
    ]
    found = _verdict(steps[max(edits) + 1 : end] if edits else window)
    whole = _verdict(window)
    if found.state == UNCHECKED and whole.state != UNCHECKED:
        found = whole._replace(state=STALE)
    elif found.state == VERIFIED and whole.state == FAILED:
        # A check that failed before the last edit, and never ran again, is not mended by another one.
        found = whole._replace(state=STALE)
    return found._replace(files=tuple(sorted(own))[:_MAX_FILES])


def _own_files(steps: Sequence[Step], done: Completion, before: float, now: float) -> Collection[str]:
    """Return the files of a task: those that were named, else those written since the completion before."""
    written = [step for step in steps if step.kind == WROTE and step.when <= now]
    own = (
        {step.what for step in written if step.what in done.files}
        or {step.what for step in written if step.when > before}
        or {step.what for step in written}
    )
    return {path for path in own if not is_prose(path)} or own


def _verdict(steps: Sequence[Step]) -> Evidence:
    """Return the result of the last run of each check; a failure counts first."""
    last = [*last_runs(steps).values()]
    for state, passed in ((FAILED, False), (VERIFIED, True), (UNKNOWN, None)):
        found = [run for run in reversed(last) if run.passed is passed]
        if found:
            return Evidence(state, tuple(run.what for run in found))
    return Evidence(UNCHECKED)
