"""The command status, with `summarize` and `why`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import click
from rich.cells import cell_len, set_cell_size

from progress_plugin.cli.output import emit, json_option, pass_project, progress_note, say_labelled
from progress_plugin.core.clients import session_from_environment
from progress_plugin.core.project import Project, find_project
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.starting.stale_reason import why as freshness_of
from progress_plugin.usecases.status import plan_status, project_status
from progress_plugin.usecases.team_view import DAYS, TeamView, TeamWriter, team_view
from progress_plugin.usecases.views import BlockerView, describe_blocker

MAX_ID_CELLS = 24  # terminal cells of the column of ids
MAX_CLAIMS = 20
MAX_FILES = 12  # files that are named; `--json` has all
LABEL_COLOURS = {
    "Blocked": "red",
    "Problem": "yellow",
    "Mismatch": "yellow",
    "Current": "green",
    "Next": "cyan",
}


@click.group(
    invoke_without_command=True,
    help="Show completion, current, blocked and next stories.",
    epilog="Example: agent-progress status --plan prd.json",
)
@click.option("--plan", metavar="FILE", type=click.Path(), help="Look at this plan file alone.")
@click.option("--team", is_flag=True, help="Show everybody's work, as this clone knows it.")
@json_option
@click.pass_context
def status(ctx: click.Context, plan: str | None, team: bool, as_json: bool) -> None:
    """Show where the work stands."""
    if ctx.invoked_subcommand is not None:
        return
    if team:
        now = datetime.now(UTC)
        with progress_note("reading the log"):
            view = team_view(find_project(ctx.obj), now)
        emit(as_json, asdict(view), team_lines(view, now))
        return
    with progress_note("reading plans and logs"):
        answer = plan_status(plan) if plan else project_status(find_project(ctx.obj))
    if as_json or not sys.stdout.isatty():
        emit(as_json, answer, status_lines(answer))
        return
    for line in status_lines(answer):
        say_labelled(line, LABEL_COLOURS)


@status.command(
    help="Make the summary anew and print its figures.",
    epilog="Example: agent-progress status summarize",
)
@json_option
@pass_project
def summarize(project: Project, /, as_json: bool) -> None:
    """Make the summary."""
    from progress_plugin.usecases.summarize import summarize as make_summary  # noqa: PLC0415 - `status` writes none

    with progress_note("making the summary"):
        answer = make_summary(project, session=session_from_environment())
    emit(as_json, answer, _figure_lines(answer))


@status.command(
    help="Say which files that the summary depends on changed since it was made; exit 1 if one did.",
    epilog="Example: agent-progress status why",
)
@json_option
@pass_project
def why(project: Project, /, as_json: bool) -> int:
    """Say whether the summary is fresh, and why not."""
    answer = freshness_of(project)
    emit(as_json, answer, [f"{'fresh' if answer['fresh'] else 'stale'}: {answer['reason']}"])
    return 0 if answer["fresh"] else 1


def _figure_lines(answer: Mapping[str, Any]) -> list[str]:
    tokens = answer["tokens"]
    kinds = ", ".join(counted(number, kind) for kind, number in answer["learnings"].items())
    states = ", ".join(f"{number} {name}" for name, number in answer["stories"].items() if name != "total")
    share = f" ({tokens['saved_percent']}%)" if tokens["saved_percent"] is not None else ""
    saved = f", {tokens['saved']} saved{share}" if tokens["saved"] > 0 else ""
    return [
        f"Stories:   {answer['stories']['total']} ({states or 'none'})",
        f"Learnings: {sum(answer['learnings'].values())} ({kinds}), {answer['learnings_shown']} shown",
        f"Recent:    {counted(answer['recent'], 'story')} in detail",
        f"Tokens:    {tokens['before']} before, {tokens['after']} after{saved}; estimates",
        f"Written:   {answer['path']}" if answer["written"] else f"Not written: {answer['unwritten']}",
        *(f"Problem:   {problem}" for problem in answer["problems"] if problem != answer["unwritten"]),
    ]


def status_lines(answer: Mapping[str, Any]) -> list[str]:
    """Return the answer of `project_status` or `plan_status` as lines."""
    plan, team = answer["plan"], answer.get("team")
    title = one_line(answer.get("project") or plan["name"] or plan["path"])
    current = f"{answer['current']}{'' if answer['begun'] else ', not begun'}" if answer["current"] else ""
    lines = [
        f"{title}: {answer['summary']}",
        *_labelled("Current", [current]),
        *_labelled("Sessions", [answer.get("sessions")]),
        *_labelled("Blocked", (describe_blocker(BlockerView(**each)) for each in answer["blocked"])),
        *_labelled("Claimed", _claim_lines(answer.get("claims", []))),
        *_labelled("Team", [team["line"]] if team else []),
        *_labelled("Next", [answer["next"]]),
        *_labelled("Step", answer["steps"]),
        *_labelled("Beside", map(_other_plan_line, answer["other_plans"])),
        *_labelled("Mismatch", answer["drift"]),
        *_labelled("Unknown", answer["unknown"]),
        *_labelled("Problem", answer["problems"]),
    ]
    if answer["stories"]:
        lines += ["", *_story_lines(answer["stories"])]
    if "root" in answer:
        lines += ["", *_source_lines(answer["sources"]["found"])]
        lines += [_freshness_line(answer["freshness"]), f"Root: {one_line(answer['root'])}"]
    return lines


def _labelled(label: str, texts: Iterable[str | None]) -> list[str]:
    return [f"{label + ':':<8} {one_line(text)}" for text in texts if text]


def _claim_lines(claims: list[dict[str, Any]]) -> list[str]:
    """Return who works on which story, since and until when; of very many only the first."""
    lines = [
        f"{each['story']} by {each['writer'] or 'this clone'} since {each['since']}, until {each['until']}"
        for each in claims[:MAX_CLAIMS]
    ]
    more = len(claims) - len(lines)
    return [*lines, *([f"and {counted(more, 'more claim')}: `status --json` has all"] if more > 0 else [])]


def _other_plan_line(plan: Mapping[str, Any]) -> str:
    title = f"{plan['name']} ({plan['path']})" if plan["name"] else plan["path"]
    following = f", next {plan['next']}" if plan["next"] else ""
    return f"another plan, {title}: {plan['done']}/{plan['total']} complete{following}"


def _story_lines(stories: list[dict[str, Any]]) -> list[str]:
    labels = [one_line(story["id"]) for story in stories]
    width = min(max(map(cell_len, labels)), MAX_ID_CELLS)
    rows = []
    for story, label in zip(stories, labels, strict=True):
        waits = f" (waits for {', '.join(story['waits_for'])})" if story["waits_for"] else ""
        rows.append(f"{story['mark']} {set_cell_size(label, width)}  {story['title']}{waits}".rstrip())
    return rows


def _source_lines(found: list[dict[str, Any]]) -> Iterator[str]:
    """Return a line for each file that was found: its role, and why."""
    yield "Sources:" if found else "Sources: no plan and no log was found"
    for each in found[:MAX_FILES]:
        yield f"  {each['role']:<11}  {each['path']}: {each['reason']}"
    if len(found) > MAX_FILES:
        yield f"  {counted(len(found) - MAX_FILES, 'more file')}: `status --json` has all"


def _freshness_line(freshness: Mapping[str, Any]) -> str:
    if freshness["fresh"]:
        return "Summary: fresh"
    reason = one_line(freshness["reason"])
    if freshness["input"] is None:
        return f"Summary: {reason}"
    return f"Summary: stale, {reason}; the next start makes it anew"


_MINUTE = len("2026-11-23T10:02")


def team_lines(view: TeamView, now: datetime) -> list[str]:
    """Return the view in lines: who, where, what is blocked, what was finished on which day."""
    return [*_heading(view), "", *_people(view), *_blocked(view), *_per_day(view, now)]


def _heading(view: TeamView) -> Iterator[str]:
    yield f"{view.project}: {counted(len(view.writers), 'clone')}"
    if view.through_server:
        yield f"Last sync with the team's server: {_minute(view.synced) or 'none yet'}"
        yield from [f"Team: {view.outage}"] if view.outage else []
    elif view.through_git:
        yield "Shared through git: as of the last pull"
    else:
        yield "Not shared: this is what was written here. docs/many-machines.md says how a team shares it"


def _people(view: TeamView) -> Iterator[str]:
    names = [_name(each) for each in view.writers]
    width = max(map(len, names), default=0)
    for name, each in zip(names, view.writers, strict=True):
        yield f"{name:<{width}}  {_seen(each)}"
        story = f"{each.story}: {each.said}" if each.story and each.said != each.story else each.said
        if each.claims:
            yield f"{'':<{width}}  claims {some_of(each.claims)}"
        if story:
            yield f"{'':<{width}}  last {story}{_of_then(each)}"


def _seen(each: TeamWriter) -> str:
    if not each.did:
        return "nothing logged yet"
    where = f", on {each.branch}" if each.branch else ""
    return f"{_minute(each.last_seen) or 'without a time'}{where}: {each.did}"


def _of_then(each: TeamWriter) -> str:
    """Return what and when that was, where it is not the moment that the clone was last seen."""
    if (each.story_when, each.story_did) == (each.last_seen, each.did):
        return ""
    return f" ({', '.join(filter(None, (each.story_did, _minute(each.story_when))))})"


def _blocked(view: TeamView) -> Iterator[str]:
    yield from ("", "Blocked:" if view.blockers else "Blocked: nothing")
    yield from (f"- {describe_blocker(each)}" for each in view.blockers)


def _per_day(view: TeamView, now: datetime) -> Iterator[str]:
    days = [day for day in view.days if any(day in each.finished for each in view.writers)]
    if not days:
        yield from ("", f"Finished in {DAYS} days: nothing")
        return
    yield from ("", f"Finished in {DAYS} days:")
    today = now.date().isoformat()
    for day in days:
        by = [f"{_name(each)} {each.finished[day]}" for each in view.writers if day in each.finished]
        total = sum(each.finished.get(day, 0) for each in view.writers)
        yield f"- {'today     ' if day == today else day}  {total}: {', '.join(by)}"


def _name(each: TeamWriter) -> str:
    return f"{each.writer} (this clone)" if each.here and each.writer else each.writer or "this clone"


def _minute(when: str) -> str:
    return f"{when[:_MINUTE].replace('T', ' ')} UTC" if when else ""
