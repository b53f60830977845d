"""The state of the work, as plain lines: for pipes, files and agents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from progress_plugin.cli.time_ago import time_ago
from progress_plugin.model.status import SHOWN_MARKS
from progress_plugin.model.story import Counts
from progress_plugin.summary.next_work import finished_by
from progress_plugin.summary.summary_input import LoggedCompletion
from progress_plugin.text.bounds import counted, some_of
from progress_plugin.text.safe_output import one_line

_WIDEST_ID = 24
_MOST_CLAIMS = 20
_WHOLE = "`agent-progress context --whole`"
"""What prints every entry there is."""
_FILES = 12
"""Files that are named; `--json` has all."""


def status_lines(answer: Mapping[str, Any], now: datetime) -> list[str]:
    """Return the answer of `project_status` or `plan_status` as lines, none cut. `now` carries its zone."""
    lines = [f"{title(answer)}: {answer['summary']}", *_labelled("Current", [current_line(answer)])]
    lines += _labelled("Focus", [answer["focus"]])
    lines += _labelled("Blocked", blocked_lines(answer, now))
    lines += _labelled("Claimed", claim_lines(answer))
    lines += _labelled("Finished", finished_lines(answer))
    lines += _labelled("Team", team_lines(answer))
    lines += _labelled("Next", [answer["next"]])
    lines += _labelled("Theirs", [answer["next_of_others"]])
    lines += _labelled("Left open", answer.get("left_open", ()))
    lines += _labelled("Beside", plan_lines(answer))
    lines += _labelled("Elsewhere", answer.get("elsewhere", ()))
    lines += _labelled("Mismatch", answer["drift"])
    lines += _labelled("Problem", answer["problems"])
    if answer["stories"]:
        lines += ["", *earlier_lines(answer), *_table(answer["stories"])]
    if "root" in answer:
        lines += ["", freshness_line(answer["freshness"]), origin_line(answer)]
    return lines


def title(answer: Mapping[str, Any]) -> str:
    """Return what the status is about: the project, or the plan alone."""
    plan = answer["plan"]
    return one_line(answer.get("project") or plan["name"] or plan["path"])


def blocked_lines(answer: Mapping[str, Any], now: datetime) -> list[str]:
    """Return what is blocked, each with its reason, and since when where a blocker in the log says so."""
    return [_stuck(each, now) for each in answer["blocked"]]


def _with_spec(each: Mapping[str, Any]) -> str:
    """Return a story's id, after the spec where no plan says which that is."""
    return f"{each['spec']} {each['id']}" if each["spec"] else str(each["id"])


def claim_lines(answer: Mapping[str, Any]) -> list[str]:
    """Return who works on which story, since and until when; of very many the first, which are ours."""
    claims = answer["claims"]
    lines = [
        f"{each['story']} by {each['writer'] or 'this clone'} since {each['since']}, until {each['until']}"
        for each in claims[:_MOST_CLAIMS]
    ]
    more = len(claims) - len(lines)
    return [*lines, *([f"and {counted(more, 'more claim')}: `status --json` has all"] if more > 0 else [])]


def finished_lines(answer: Mapping[str, Any]) -> list[str]:
    """Return what others have finished and the plan here has open, by whom and when."""
    found = (LoggedCompletion(**each) for each in answer["finished_in_log"])
    return [f"{each.story}: {finished_by(each)}" for each in found]


def team_lines(answer: Mapping[str, Any]) -> list[str]:
    """Return that nothing reaches the team's server, and what waits; nothing where syncs succeed."""
    team = answer.get("team")
    return [team["line"]] if team and team["line"] else []


def earlier_lines(answer: Mapping[str, Any]) -> list[str]:
    """Return what is known of the stories that only the archive has."""
    return [
        f"{SHOWN_MARKS[status]} {counted(number, 'earlier story')}, in the archive: {_WHOLE}"
        for status, number in answer.get("earlier", {}).items()
    ]


def current_line(answer: Mapping[str, Any]) -> str:
    """Return the current story, and whether anybody has begun it."""
    return f"{answer['current']}{'' if answer['begun'] else ', not begun'}" if answer["current"] else ""


def named(name: str | None, title_of_it: str | None) -> str:
    """Return `US-013: title`, or what there is of it."""
    both = name and title_of_it and name != title_of_it
    return f"{name}: {title_of_it}" if both else name or title_of_it or ""


def freshness_line(freshness: Mapping[str, Any]) -> str:
    """Return whether the kept summary is that of now; a stale one is no fault, starts renew it."""
    if freshness["fresh"]:
        return "Summary: fresh"
    reason = one_line(freshness["reason"])
    if freshness["input"] is None:
        return f"Summary: {reason}"
    return f"Summary: stale, {reason}; the next start makes it anew"


def origin_line(answer: Mapping[str, Any]) -> str:
    """Return which root was taken and what was read."""
    files = some_of([one_line(path) for path in answer["sources"]["files"]], _FILES)
    return f"Root {one_line(answer['root'])}, read: {files or 'nothing'}"


def waiting(story: Mapping[str, Any]) -> str:
    """Return `waits for US-002`; empty for a story that waits for none."""
    return f"waits for {', '.join(story['waits_for'])}" if story["waits_for"] else ""


def plan_lines(answer: Mapping[str, Any]) -> list[str]:
    """Return how far the other plans are, which have no part in the percentage."""
    found = []
    for plan in answer.get("other_plans", ()):
        counts = Counts.of_object(plan["counts"])
        title = f"{plan['name']} ({plan['path']})" if plan["name"] else plan["path"]
        found.append(f"another plan, {title}: {counts.done}/{counts.counted} complete")
    return found


def _labelled(label: str, texts: Iterable[str | None]) -> list[str]:
    """Return one line per text, made harmless: plans and logs are anybody's words."""
    return [f"{label + ':':<8} {one_line(text)}" for text in texts if text]


def _stuck(each: Mapping[str, Any], now: datetime) -> str:
    """Return what is stuck, why, by which other clone, and since when where an entry says so."""
    name, why = named(_with_spec(each), each["title"]), each["why"]
    by = f"by {each['by']}" if each["by"] else ""
    told = ", ".join(filter(None, (by, time_ago(each["since"], now) if each["entry"] else "")))
    return f"{name}{f' - {why}' if why else ''}{f' ({told})' if told else ''}"


def _table(stories: list[dict[str, Any]]) -> list[str]:
    from rich.cells import cell_len, set_cell_size  # noqa: PLC0415 - widths of CJK and emoji, only for people

    labels = [one_line(story["id"] or "") for story in stories]
    width = min(max(map(cell_len, labels)), _WIDEST_ID)
    rows = []
    for story, label in zip(stories, labels, strict=True):
        waits = f" ({waiting(story)})" if story["waits_for"] else ""
        waits += f" (finished by {story['finished_by']})" if story["finished_by"] else ""
        told = one_line(story["title"] + waits)
        rows.append(f"{story['mark']} {set_cell_size(label, width)}  {told}".rstrip())
    return rows
