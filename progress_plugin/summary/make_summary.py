"""Make the summary: fixed lines, then the statements that are worth their tokens, then Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from progress_plugin.agent_logs.noise import is_report
from progress_plugin.config.settings import Settings
from progress_plugin.model.work import AgentLog, Line, Statement
from progress_plugin.selection.choose import Choice, prepare
from progress_plugin.selection.similarity import Muted, find_words, says
from progress_plugin.summary.head_lines import SummaryHead, make_head
from progress_plugin.summary.key_learnings import group_learnings, group_of, is_learning
from progress_plugin.summary.newest_entries import (
    COUNT,
    RecentEntry,
    find_recent,
    newest_entries,
    with_bullets,
)
from progress_plugin.summary.own_log import PATH as OWN_PATH
from progress_plugin.summary.project_facts import Facts, source_paths
from progress_plugin.summary.render_markdown import GROUP_HEADINGS, render_lines, render_summary
from progress_plugin.summary.shown_text import safe_line
from progress_plugin.summary.story_rows import legend_of, make_rows
from progress_plugin.text.bounds import counted, estimate_tokens

MAX_SOURCES = 3  # named in the footer
LOGGED_SHARE = 0.3  # share of the room that learnings of our own log may fill before other learnings
RECENT_SHARE = 0.3  # share of the room that the recent entries may fill first, each the same part of it
LEARNINGS_PER_ENTRY = 0.5  # if a log has fewer, statements about the work of its older entries are candidates
OLDER_SHARE = 0.3  # share of the room that these statements may fill
PRIORITISED = {
    "patterns": ("patterns",),
    "gotchas": ("gotchas",),
    "learnings": ("patterns", "gotchas", "dependencies"),
}  # groups of learnings by the sections that the setting `prioritize` names


class Summary(NamedTuple):
    """A summary as Markdown, and the values that the template was given."""

    text: str
    view: Mapping[str, Any]
    learnings: int  # learnings that are shown
    recent: int  # entries, and documents without entries, that are shown

    def lines(self) -> list[Line]:
        return [*render_lines(self.text, self.view)]


def make_summary(
    facts: Facts,
    settings: Settings,
    *,
    render: Callable[[Mapping[str, Any]], str] = render_summary,
    weights: Mapping[str, float] | None = None,
) -> Summary:
    """Make a summary of at most `max_context_tokens`; its fixed lines may take more.

    `render` is another function if a project has its own template; `weights` replace the shipped weights.
    """
    head = make_head(facts)
    recent = find_recent(facts, settings.recent_stories_count)
    frame = _Frame(facts, head, recent)
    candidates = find_candidates(facts, recent)
    room = settings.max_context_tokens - estimate_tokens(render(frame.view([], len(candidates))))
    chosen = _choose(candidates, max(0, room), frame, settings, weights)
    view = frame.view(chosen, len(candidates))
    learnings = sum(is_learning(each, facts.learning_places) for each in chosen)
    return Summary(render(view), view, learnings, len(recent))


class _Frame(NamedTuple):
    """The parts of a summary that do not depend on the choice of statements."""

    facts: Facts
    head: SummaryHead
    recent: Sequence[RecentEntry]

    def texts(self) -> list[str]:
        """Return the lines that the summary has without any chosen statement."""
        recent = [line for each in self.recent for line in (each.heading, *each.bullets)]
        return [line.text for line in (*self.head.lines(), *recent)]

    def view(self, chosen: Sequence[Statement], candidates: int) -> dict[str, Any]:
        """Return the values of the template."""
        facts, head = self.facts, self.head
        recent = [with_bullets(each, chosen) for each in self.recent]
        places = {(each.path, number) for each in recent for number in each.numbers}
        earlier = [each for each in chosen if (each.source.path, each.entry) not in places]
        if older_work := [each for each in earlier if not is_learning(each, facts.learning_places)]:
            bullets = tuple(safe_line(each.text, each.source) for each in older_work)
            recent.append(RecentEntry("", 0, safe_line("Earlier work"), bullets))
        groups = group_learnings([each for each in earlier if each not in older_work])
        paths = [safe_line(path).text for path in source_paths(facts)]
        more = f" and {len(paths) - MAX_SOURCES} more" if len(paths) > MAX_SOURCES else ""
        rows, left_out = make_rows(facts.state.items), candidates - len(chosen)
        return {
            "name": safe_line(facts.name).text,
            "branch": _branch(facts),
            "started": str(facts.started or ""),
            "updated": str(facts.state.newest or ""),
            "head": head,
            "rows": rows,
            "legend": legend_of(rows),
            "groups": groups,
            "group_headings": GROUP_HEADINGS,
            "learned": _describe_learned(facts, [each for each in chosen if each not in earlier]),
            "recent": recent,
            "receipt": [f"{counted(left_out, 'statement')} left out, see `recall`"] if left_out > 0 else [],
            "sources": ", ".join(paths[:MAX_SOURCES]) + more,
            "fault": "",
        }


def _describe_learned(facts: Facts, below: Sequence[Statement]) -> str:
    """Return the line to show in place of learnings if none is shown above the stories."""
    known = len(facts.learnings)
    if not known:
        return "No reusable patterns identified yet"
    if any(is_learning(each, facts.learning_places) for each in below):
        return "What was learned is shown with the stories below"
    return f"{known} known, none shown: `agent-progress recall WORDS`"


def _branch(facts: Facts) -> str:
    """Return the branch that is checked out, and the branch that the plan names if it is another."""
    planned = next((plan.branch for plan in facts.inputs.plans[:1] if plan.branch), None)
    is_other = facts.branch and planned and planned != facts.branch
    text = f"{facts.branch} (the plan names {planned})" if is_other else facts.branch or planned or ""
    return safe_line(text).text


def find_candidates(facts: Facts, recent: Sequence[RecentEntry]) -> list[Statement]:
    """Return the statements that may be shown, those of the log with the newest entry first."""
    first = recent[0].path if recent else ""
    logs = sorted(facts.logs, key=lambda log: log.path != first)
    offered = [each for log in logs for each in _candidates_of(log, facts, recent)]
    shown = [find_words(line) for text in facts.shown_by_client for line in text.splitlines() if line.strip()]
    muted = Muted(facts.own.muted)
    kept = []
    for statement in prepare(offered):
        words = find_words(statement.text) if shown else frozenset[str]()
        is_shown = any(says(line, words) for line in shown)
        if not is_shown and not muted.hides(statement.text):
            kept.append(statement)
    return kept


def _candidates_of(log: AgentLog, facts: Facts, recent: Sequence[RecentEntry]) -> Iterator[Statement]:
    """Yield the learnings and recent statements of a log; if it has few learnings, older statements, too.

    If a log has many, statements about older work are rarely worth their tokens, and often outdated.
    """
    places = {(each.path, number) for each in recent for number in each.numbers}
    of_learnings = [is_learning(each, facts.learning_places) for each in log.statements]
    has_few_learnings = sum(of_learnings) < LEARNINGS_PER_ENTRY * len(log.entries)
    for statement, teaches in zip(log.statements, of_learnings, strict=True):
        is_newest = bool(recent) and recent[0].has(statement)
        is_recent = (log.path, statement.entry) in places
        is_older_work = has_few_learnings and statement.entry > 0 and not COUNT.search(statement.text)
        is_offered = teaches or is_newest or ((is_recent or is_older_work) and not is_report(statement.text))
        if is_offered and not facts.state.has_ended(statement.source):
            yield statement


def _statements_of_other_logs(candidates: Sequence[Statement], frame: _Frame) -> set[int]:
    """Return the indices of the statements that are not in our log, nor in the agent's log in use.

    That is the log with the newest entry; without any entries, the first document that is shown.
    """
    paths = (*(log.path for log, _ in newest_entries(frame.facts)), *(each.path for each in frame.recent))
    in_use = next((path for path in paths if path != OWN_PATH), None)
    return {at for at, each in enumerate(candidates) if in_use and each.source.path not in {OWN_PATH, in_use}}


def _choose(
    candidates: Sequence[Statement],
    room: int,
    frame: _Frame,
    settings: Settings,
    weights: Mapping[str, float] | None,
) -> list[Statement]:
    """Choose statements of recent entries, then each prioritised group, our learnings, then others."""
    others = _statements_of_other_logs(candidates, frame)
    choice = Choice(candidates, room, frame.texts(), weights, less_important=others)
    places = frame.facts.learning_places
    all_learnings = {at for at, each in enumerate(candidates) if is_learning(each, places)}
    learnings = set(sorted(all_learnings, key=lambda at: -choice.scores[at])[: settings.max_learnings])
    too_many, preferred = all_learnings - learnings, set(learnings)
    for entry in frame.recent:
        of_entry = [at for at, each in enumerate(candidates) if entry.has(each) and at not in too_many]
        choice.fill(of_entry, int(room * RECENT_SHARE / len(frame.recent)))
        preferred.update(of_entry)
    for section in settings.prioritize:
        groups = PRIORITISED.get(section, ())
        choice.fill(at for at in learnings if group_of(candidates[at]) in groups)
    logged_learnings = (at for at in learnings if candidates[at].source.path == OWN_PATH)
    choice.fill(logged_learnings, int(room * LOGGED_SHARE), floor=0.0)  # an agent has called them learnings
    if older_work := set(range(len(candidates))) - all_learnings - preferred:
        choice.fill(learnings)
        choice.fill(older_work, int(room * OLDER_SHARE))
    choice.fill(preferred)
    return choice.chosen()
