"""The state of the work, on a terminal: it fits the width, and nothing is said by colour alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from progress_plugin.cli.status_text import (
    blocked_lines,
    claim_lines,
    earlier_lines,
    finished_lines,
    freshness_line,
    named,
    origin_line,
    plan_lines,
    team_lines,
    title,
    waiting,
)
from progress_plugin.model.status import SHOWN_WORDS
from progress_plugin.model.story import Counts
from progress_plugin.summary.user_and_status_line import bar
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line

STYLES = {
    "done": "green",
    "active": "bold cyan",
    "blocked": "red",
    "failed": "bold red",
    "skipped": "dim",
    "pending": "",
}
_WIDEST_BAR = 40
_WIDEST_ID = 24
_ROOM_FOR_WORDS = 80
_ROOM_FOR_MORE = 120


def show(answer: Mapping[str, Any], console: Console, now: datetime) -> None:
    """Print the answer of `project_status` or `plan_status`. `now` carries its zone."""
    parts: list[RenderableType] = [_head(answer, console.width), _bar(answer, console.width), Text("")]
    facts = _facts(answer, now)
    if facts.row_count:
        parts += [facts, Text("")]
    parts += [Text(line, style="dim") for line in earlier_lines(answer)]
    if answer["stories"]:
        parts += [_stories(answer["stories"], console.width), Text("")]
    if "root" in answer:
        parts.append(_foot(answer))
    console.print(Group(*parts))


def _head(answer: Mapping[str, Any], width: int) -> Text:
    head = Text(title(answer), style="bold")
    told = [answer.get("branch_line"), f"updated {answer['updated']}" if answer.get("updated") else None]
    rest = Text("  ·  ".join(one_line(text) for text in told if text), style="not bold dim")
    if not rest:
        return head
    fits = head.cell_len + rest.cell_len + len("  ·  ") <= width
    return head.append("  ·  " if fits else "\n", style="dim").append_text(rest)


def _bar(answer: Mapping[str, Any], width: int) -> Text:
    """Return the bar; a plan of nothing but skipped stories, of none or of unknown ones has only words."""
    counts = Counts.of_object(answer["counts"])
    if answer["percent"] is None:
        return Text(answer["summary"])
    cells = min(_WIDEST_BAR, max(width - len(answer["summary"]) - 2, 8))
    drawn = bar(counts.done, counts.counted, cells)
    filled = drawn.count("▓")
    text = Text()
    text.append(drawn[:filled], style=STYLES["done"])
    text.append(drawn[filled:], style="dim")
    return text.append(f"  {answer['summary']}")


def _facts(answer: Mapping[str, Any], now: datetime) -> Table:
    """Return labels and texts: what is current, what is stuck and since when, what comes next."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    titles = {story["id"]: story["title"] for story in answer["stories"] if story["id"]}
    current = answer["current"]
    told = named(current, titles.get(current)) + ("" if answer["begun"] else ", not begun")
    _add(table, "Current", [told] if current else [], STYLES["active"])
    _add(table, "Focus", [answer["focus"]] if answer["focus"] else [])
    _add(table, "Blocked", blocked_lines(answer, now), STYLES["blocked"])
    _add(table, "Claimed", claim_lines(answer))
    _add(table, "Finished", finished_lines(answer))
    _add(table, "Team", team_lines(answer), "yellow")
    _add(table, "Next", [answer["next"]] if answer["next"] else [])
    _add(table, "Theirs", [answer["next_of_others"]] if answer["next_of_others"] else [])
    _add(table, "Left open", answer.get("left_open", ()))
    _add(table, "Beside", plan_lines(answer))
    _add(table, "Elsewhere", answer.get("elsewhere", ()))
    _add(table, "Mismatch", answer["drift"], "yellow")
    _add(table, "Problem", answer["problems"], "yellow")
    return table


def _add(table: Table, label: str, texts: Iterable[str], style: str = "bold") -> None:
    for number, text in enumerate(texts):
        table.add_row(Text("" if number else label, style=style), Text(one_line(text)))


def _stories(stories: list[dict[str, Any]], width: int) -> Table:
    """Return one row per story; a wider terminal shows more of each."""
    words, more = width >= _ROOM_FOR_WORDS, width >= _ROOM_FOR_MORE
    agents = more and any(story["agent"] for story in stories)
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, max_width=_WIDEST_ID, overflow="ellipsis")
    table.add_column(overflow="fold")
    for _ in range(words + agents + more):
        table.add_column(no_wrap=True, max_width=_WIDEST_ID, overflow="ellipsis")
    for story in stories:
        table.add_row(*_cells(story, words=words, agents=agents, more=more))
    return table


def _cells(story: Mapping[str, Any], *, words: bool, agents: bool, more: bool) -> list[Text]:
    style = STYLES[story["status"]]
    told = Text(one_line(story["title"]), style="dim" if story["status"] == "skipped" else "")
    if story["waits_for"]:
        told.append(f" ({one_line(waiting(story))})", style="dim")
    if story["finished_by"]:
        told.append(f" (finished by {one_line(story['finished_by'])})", style="dim")
    cells = [Text(story["mark"], style=style), Text(one_line(story["id"] or ""), style=style), told]
    if words:
        cells.append(Text(SHOWN_WORDS[story["status"]], style=style))
    if agents:
        cells.append(Text(one_line(story["agent"] or ""), style="dim"))
    if more:
        attempts = story["attempts"]
        cells.append(Text(counted(attempts, "attempt") if attempts else "", style="dim"))
    return cells


def _foot(answer: Mapping[str, Any]) -> Group:
    fresh = answer["freshness"]["fresh"]
    text = Text(freshness_line(answer["freshness"]), style="dim" if fresh else "yellow")
    return Group(text, Text(origin_line(answer), style="dim"))
