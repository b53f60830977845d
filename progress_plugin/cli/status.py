"""Commands that show the state of the work: status, context, demo."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import click
from rich.cells import cell_len, set_cell_size

from progress_plugin.cli.output import Answer, command, example_line, named_directory, print_answer
from progress_plugin.core.clients import current_client, session_from_environment
from progress_plugin.core.errors import BadInput
from progress_plugin.core.own_command import command_line
from progress_plugin.core.project import Project, find_project
from progress_plugin.summary.render_markdown import load_template
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.composing import compose_for_this_call, context_change
from progress_plugin.usecases.sharing import import_shared_entries
from progress_plugin.usecases.starting.stale_reason import explain_cache
from progress_plugin.usecases.status import plan_status, project_status, whole_log
from progress_plugin.usecases.summarize import demo as run_demo
from progress_plugin.usecases.summarize import summarize as make_summary
from progress_plugin.usecases.team_view import DAYS, TeamView, TeamWriter, team_view
from progress_plugin.usecases.traced_context import OriginPlace, TracedContext, trace_context
from progress_plugin.usecases.views import describe_blocker

MAX_ID_CELLS = 24  # terminal cells of the column of ids
MAX_FILES = 12  # files that are named; `--json` has all
NOTHING = "An agent gets nothing here: no plan and no entry yet, or it is switched off (`inject`)."


@click.group(invoke_without_command=True, epilog=example_line("status --plan prd.json"))
@click.option("--plan", metavar="FILE", type=click.Path(), help="Look at this plan file alone.")
@click.option("--team", is_flag=True, help="Show everybody's work, as this clone knows it.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def status(ctx: click.Context, plan: str | None, team: bool, as_json: bool) -> None:
    """Show completion, current, blocked and next stories."""
    if ctx.invoked_subcommand is not None:
        return
    if team:
        now = datetime.now(UTC)
        view = team_view(find_project(named_directory()), now)
        answer = Answer(asdict(view), _team_lines(view, now))
    else:
        data = plan_status(plan) if plan else project_status(find_project(named_directory()))
        answer = Answer(data, _status_lines(data))
    print_answer(answer, as_json=as_json)


@command("status summarize", status)
def summarize(project: Project) -> Answer:
    """Make the summary anew and print its figures."""
    answer = make_summary(project, session=session_from_environment())
    return Answer(answer, _figure_lines(answer))


@command("status why", status)
def why(project: Project) -> Answer:
    """Say which files that the summary depends on changed since it was made; exit 1 if one did."""
    answer = explain_cache(project)
    line = f"{'fresh' if answer['fresh'] else 'stale'}: {one_line(answer['reason'])}"
    return Answer(answer, [line], code=0 if answer["fresh"] else 1)


def _figure_lines(answer: Mapping[str, Any]) -> list[str]:
    tokens = answer["tokens"]
    kinds = ", ".join(counted(number, kind) for kind, number in answer["learnings"].items())
    states = ", ".join(f"{number} {name}" for name, number in answer["stories"].items() if name != "total")
    share = f" ({tokens['saved_percent']}%)" if tokens["saved_percent"] is not None else ""
    saved = f", {tokens['saved']:,} saved{share}" if tokens["saved"] > 0 else ""
    reason = answer["unwritten"]
    return [
        f"Stories:   {answer['stories']['total']} ({states or 'none'})",
        f"Learnings: {sum(answer['learnings'].values())} ({kinds}), {answer['learnings_shown']} shown",
        f"Recent:    {counted(answer['recent'], 'story')} in detail",
        f"Tokens:    {tokens['before']:,} before, {tokens['after']:,} after{saved}; estimates",
        f"Written:   {answer['path']}" if answer["written"] else f"Not written: {one_line(reason)}",
        *(f"Problem:   {one_line(each)}" for each in answer["problems"] if each != reason),
    ]


def _status_lines(answer: Mapping[str, Any]) -> list[str]:
    """Return the answer of `project_status` or `plan_status` as lines."""
    plan, team = answer["plan"], answer.get("team")
    title = one_line(answer.get("project") or plan["name"] or plan["path"])
    current = f"{answer['current']}{'' if answer['begun'] else ', not begun'}" if answer["current"] else ""
    lines = [
        f"{title}: {answer['summary']}",
        *_labelled("Current", [current]),
        *_labelled("Sessions", [answer.get("sessions")]),
        *_labelled("Blocked", map(describe_blocker, answer["blocked"])),
        *_labelled("Claimed", map(_describe_claim, answer.get("claims", ()))),
        *_labelled("Team", [team["line"]] if team else []),
        *_labelled("Next", [answer["next"]]),
        *_labelled("Step", answer["steps"]),
        *_labelled("Other plan", map(_describe_other_plan, answer["other_plans"])),
        *_labelled("Plan and log disagree", answer["drift"]),
        *_labelled("Unknown", answer["unknown"]),
        *_labelled("Problem", answer["problems"]),
    ]
    if answer["stories"]:
        lines += ["", *_story_lines(answer["stories"])]
    if "root" in answer:
        lines += ["", *_source_lines(answer["sources"]["found"])]
        lines += [_describe_freshness(answer["freshness"]), f"Root: {one_line(answer['root'])}"]
    return lines


def _labelled(label: str, texts: Iterable[str | None]) -> list[str]:
    return [f"{label + ':':<8} {one_line(text)}" for text in texts if text]


def _describe_claim(claim: Mapping[str, Any]) -> str:
    by = claim["writer"] or "this clone"
    return f"{claim['story']} by {by} since {claim['since']}, until {claim['until']}"


def _describe_other_plan(plan: Mapping[str, Any]) -> str:
    title = f"{plan['name']} ({plan['path']})" if plan["name"] else plan["path"]
    following = f", next {plan['next']}" if plan["next"] else ""
    return f"{title}: {plan['done']}/{plan['total']} complete{following}"


def _story_lines(stories: list[dict[str, Any]]) -> Iterator[str]:
    width = min(max(cell_len(story["id"]) for story in stories), MAX_ID_CELLS)
    for story in stories:
        waits = f" (waits for {', '.join(story['waits_for'])})" if story["waits_for"] else ""
        yield f"{story['mark']} {set_cell_size(story['id'], width)}  {story['title']}{waits}".rstrip()


def _source_lines(found: list[dict[str, Any]]) -> Iterator[str]:
    """Yield a line for each file that was found: its role, and why."""
    yield "Sources:" if found else "Sources: no plan and no log was found"
    for each in found[:MAX_FILES]:
        yield f"  {each['role']:<11}  {each['path']}: {each['reason']}"
    if len(found) > MAX_FILES:
        yield f"  {counted(len(found) - MAX_FILES, 'more file')}: `status --json` has all"


def _describe_freshness(freshness: Mapping[str, Any]) -> str:
    reason = one_line(freshness["reason"])
    if freshness["fresh"]:
        return "Summary: fresh"
    if freshness["input"] is None:
        return f"Summary: {reason}"
    return f"Summary: out of date, because {reason}; the next session start renews it"


def _team_lines(view: TeamView, now: datetime) -> Iterator[str]:
    """Yield who works on what, what is blocked, and what was finished on which day."""
    yield f"{view.project}: {counted(len(view.writers), 'clone')}"
    if view.through_server:
        yield f"Last sync with the team's server: {_minute(view.synced) or 'none yet'}"
        yield from [f"Team: {view.outage}"] if view.outage else ()
    elif view.through_git:
        yield "Shared through git: as of the last pull"
    else:
        yield "Not shared: this is what was written here. docs/many-machines.md says how a team shares it"
    yield ""
    for each in view.writers:
        yield from _writer_lines(each)
    yield ""
    yield "Blocked:" if view.blockers else "Blocked: nothing"
    yield from (f"- {describe_blocker(each)}" for each in view.blockers)
    yield ""
    days = [day for day in view.days if any(day in each.finished for each in view.writers)]
    yield f"Finished in {DAYS} days:" if days else f"Finished in {DAYS} days: nothing"
    for day in days:
        by = {_name(each): each.finished[day] for each in view.writers if day in each.finished}
        shown = "today     " if day == now.date().isoformat() else day
        yield f"- {shown}  {sum(by.values())}: {', '.join(f'{name} {number}' for name, number in by.items())}"


def _writer_lines(each: TeamWriter) -> Iterator[str]:
    branch = f", on {each.branch}" if each.branch else ""
    seen = f"{_minute(each.last_seen) or 'without a time'}{branch}: {each.did}"
    yield f"{_name(each)}  {seen if each.did else 'nothing logged yet'}"
    if each.claims:
        yield f"  claims {some_of(each.claims)}"
    if each.text:
        yield f"  last {each.text}"


def _name(each: TeamWriter) -> str:
    return f"{each.writer} (this clone)" if each.here and each.writer else each.writer or "this clone"


def _minute(when: str) -> str:
    return f"{when[:16].replace('T', ' ')} UTC" if when else ""


_WHOLE_HELP = "Print the whole history instead, archive and agents' logs included."


@command("context --diff", json_help="Print one JSON object, with the line for the user.")
@click.option("--diff", is_flag=True, help="Print only what differs from the one kept last.")
@click.option("--sources", is_flag=True, help="Below each line the file and line, or entry, that says it.")
@click.option("--whole", is_flag=True, help=_WHOLE_HELP)
def context(project: Project, diff: bool, sources: bool, whole: bool) -> Answer:
    """Print exactly the text that a session start puts in front of an agent; exit 1 if that is nothing."""
    if diff + sources + whole > 1:
        raise BadInput("--diff, --sources and --whole print different things; give one of them")
    if whole:
        lines = whole_log(project)
        return _listed({"lines": lines}, lines, "Nothing was recorded here yet.")
    if sources:
        traced = trace_context(project)
        return _listed([*map(asdict, traced.lines)], [*_traced_lines(traced)])
    if diff:
        changes = context_change(project)
        data = {"kept": changes is not None, "changed": bool(changes), "diff": changes or []}
        nothing = "No context is kept yet: the next session start, or `status summarize`, keeps one."
        shown = ["Nothing changed since the last one was kept."] if changes == [] else changes or []
        return _listed(data, shown, nothing)
    import_shared_entries(project)
    composed = compose_for_this_call(project)
    # a client without our command on its PATH is also shown how to call it
    has_command = current_client(None, set(os.environ)).has_bin_on_path
    text = composed.context + ("" if has_command or not composed.context else command_line())
    tokens = {"estimated": True, "before": composed.tokens_before, "after": composed.tokens_after}
    line = composed.user_line if text else ""
    data = {"context": text, "user_line": line, "tokens": tokens, "sources": composed.source_paths}
    return Answer(data, notes=() if text else (NOTHING,), code=0 if text else 1, text=text)


def _listed(data: Any, lines: list[str], nothing: str = NOTHING) -> Answer:
    """Return the lines, or that there is nothing."""
    return Answer(data, lines, () if lines else (nothing,), code=0 if lines else 1)


def _traced_lines(traced: TracedContext) -> Iterator[str]:
    """Yield each line, and below it the places that say it; at the end where all others come from."""
    for line in traced.lines:
        yield line.text
        if places := dict.fromkeys(map(_describe_place, line.sources)):
            yield f"    < {', '.join(places)}"
    if traced.lines and traced.made_from:
        yield f"    < lines without a place sum up {', '.join(map(one_line, traced.made_from))}"


def _describe_place(place: OriginPlace) -> str:
    """Return `prd.json:12`, or `progress.json (entry-20260301-100000-a1b2c3)`."""
    number, entry = (f":{place.line}" if place.line else ""), (f" ({place.entry})" if place.entry else "")
    return f"{one_line(place.path)}{number}{entry}"


@command("demo", in_project=False)
def demo() -> Answer:
    """Show on an example what an agent gets at a session start, and what it saves."""
    shown = run_demo()
    text = load_template("demo.txt.j2", {"counted": counted}).render(shown)
    return Answer(shown, text=f"{text.rstrip()}\n")
