"""What a session's transcript proves of a task that was called done.

A check proves something if it began after the last edit of the task's files; nothing is run by us. What comes
first is told by the order of the transcript, where times are equal, too.
"""

import math
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from progress_plugin.text.safe_output import item
from progress_plugin.transcripts.commands.check_names import covers
from progress_plugin.transcripts.timeline import ANY_FILE, ASKED, RAN, WROTE, Step, Timeline

VERIFIED, FAILED, UNKNOWN, STALE, UNCHECKED = "verified", "failed", "unknown", "stale", "unchecked"
_PROSE = (".md", ".mdx", ".rst", ".adoc")
"""Files that no check has to be repeated for, where others were written, too."""
_NAMED = 3
_LONGEST = 50
_FILES = 20
_SECOND = 0.999
"""Entries are dated to the second: what was edited within it was edited before."""


class Completion(NamedTuple):
    """When a task was called done in a session, and what is known of it besides."""

    when: float
    """Seconds since 1970, without a fraction."""
    files: tuple[str, ...] = ()
    """Those that a commit or somebody named; empty where nobody did."""


class Evidence(NamedTuple):
    """What is known of the checks of a completed task."""

    state: str
    """`verified`, `failed`, `unknown` result, `stale` (before the last edit), or `unchecked`."""
    checks: tuple[str, ...] = ()
    """The checks that say so."""
    agent: str = ""
    """The sub-agent that ran them; empty for the main one."""
    files: tuple[str, ...] = ()
    """What was written for the task, as far as the transcript shows it."""

    @property
    def is_proof(self) -> bool:
        """Whether a check passed after the last edit, and none failed."""
        return self.state == VERIFIED

    def words(self) -> str:
        """Return it as it is shown: `verified: pytest passed`."""
        names = ", ".join(item(name, _LONGEST) for name in self.checks[:_NAMED])
        by = f" (by {item(self.agent, _LONGEST)})" if self.agent else ""
        if self.state == VERIFIED:
            return f"verified: {names} passed{by}"
        if self.state == UNCHECKED:
            return "claimed, no check seen"
        said = {
            FAILED: "failed",
            UNKNOWN: "ran, its result is not known",
            STALE: "ran before the last edit only",
        }
        return f"claimed, {names} {said[self.state]}{by}"


def evidence_of(timeline: Timeline, done: Completion, others: Iterable[float] = ()) -> Evidence | None:
    """Return what a session proves of one completion; None where its beginning is no longer known.

    `others` are the times of the session's other completions: what lies between two of them belongs to one.
    """
    steps = timeline.ordered()
    now = done.when + _SECOND
    earlier = max((other for other in others if other < done.when), default=-math.inf)
    before = earlier + _SECOND
    if timeline.since > max(before, 0.0) and not any(step.when <= now for step in steps):
        return None
    end = min(
        [other for other in others if other > done.when]
        + [step.when for step in steps if step.kind == ASKED and step.when > now],
        default=math.inf,
    )
    own = _own_files(steps, done, before, now)
    edits = [place for place, step in enumerate(steps) if step.kind == WROTE and _touches(step.what, own)]
    last = max((at for at in edits if steps[at].when <= now), default=_first_after(steps, before) - 1)
    told, until = _of_window(steps[last + 1 :], now), now
    if told.state != VERIFIED:
        last = max((at for at in edits if now < steps[at].when <= end), default=-1)
        later = _of_window(steps[last + 1 :], end) if last >= 0 else told
        told, until = (later, end) if later.state != UNCHECKED else (told, now)
    if told.state == UNCHECKED:
        told = _earlier(steps, before, now)
    elif told.state == VERIFIED:
        # What failed before the last edit, and never ran again, is not made good by another check. What ran
        # in the second of the completion before may have run behind it.
        whole = _of_window([step for step in steps if step.when >= earlier], until)
        told = whole._replace(state=STALE) if whole.state == FAILED else told
    return told._replace(files=tuple(sorted(own))[:_FILES])


def last_edit(timeline: Timeline) -> float:
    """Return when a check was last made outdated, in seconds since 1970; 0 where nothing was edited."""
    edits = [step for step in timeline.steps if step.kind == WROTE]
    return max((step.when for step in edits if not _is_prose(step.what)), default=0.0)


def _touches(written: str, own: Collection[str]) -> bool:
    """Return whether an edit may be one of these files: it is one, their folder, or nobody knows which."""
    return written == ANY_FILE or written in own or any(path.startswith(f"{written}/") for path in own)


def is_outdated(timeline: Timeline, name: str) -> bool:
    """Return whether something was edited after the last run of a check."""
    steps = timeline.ordered()
    runs = [place for place, step in enumerate(steps) if step.kind == RAN and step.what == name]
    later = steps[runs[-1] :] if runs else []
    return any(step.kind == WROTE and not _is_prose(step.what) for step in later)


def _is_prose(path: str) -> bool:
    return path.lower().endswith(_PROSE)


def _own_files(steps: Sequence[Step], done: Completion, before: float, now: float) -> Collection[str]:
    """Return the files of a task: those that were named, else those written since the completion before."""
    written = [step for step in steps if step.kind == WROTE and step.when <= now and step.what != ANY_FILE]
    own = (
        {step.what for step in written if step.what in done.files}
        or {step.what for step in written if step.when > before}
        or {step.what for step in written}
    )
    return {path for path in own if not _is_prose(path)} or own


def _first_after(steps: Sequence[Step], when: float) -> int:
    return next((place for place, step in enumerate(steps) if step.when > when), len(steps))


def _of_window(steps: Sequence[Step], now: float) -> Evidence:
    """Return what the checks of these steps say, up to the first edit after `now`."""
    ends = (step.kind == WROTE and step.when > now and not _is_prose(step.what) for step in steps)
    end = next((place for place, is_end in enumerate(ends) if is_end), len(steps))
    return _verdict([step for step in steps[:end] if step.kind == RAN])


def _verdict(runs: Sequence[Step]) -> Evidence:
    last: dict[str, Step] = {}
    for run in runs:
        last.pop(run.what, None)
        last[run.what] = run
        if run.passed:
            for part in [name for name in last if name != run.what and covers(run.what, name)]:
                del last[part]
    for state, passed in ((FAILED, False), (VERIFIED, True), (UNKNOWN, None)):
        found = [run for run in reversed(last.values()) if run.passed is passed]
        if found:
            return Evidence(state, tuple(run.what for run in found), _agent(found))
    return Evidence(UNCHECKED)


def _earlier(steps: Sequence[Step], before: float, now: float) -> Evidence:
    runs = [step for step in steps if step.kind == RAN and before < step.when <= now]
    if not runs:
        return Evidence(UNCHECKED)
    failed = _verdict(runs)
    return failed._replace(state=STALE) if failed.state == FAILED else _stale(runs[-1])


def _stale(run: Step) -> Evidence:
    return Evidence(STALE, (run.what,), _agent([run]))


def _agent(runs: Sequence[Step]) -> str:
    """Return which sub-agent ran these, where one ran all of them."""
    agents = {run.agent for run in runs}
    return agents.pop() if len(agents) == 1 else ""
