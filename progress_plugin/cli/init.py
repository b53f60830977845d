"""`agent-progress init`: begin to keep a log in this project."""

from __future__ import annotations

import json
import os
import shlex
from typing import Any

import click

from progress_plugin.cli.output import print_json, say
from progress_plugin.core.packages.environment import PLUGIN_ROOT
from progress_plugin.core.project import find_project
from progress_plugin.text.bounds import some_of
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.init import init

_LONGEST_PATH = 120
_MOST_READ = 12
_FIRST_PLAN = (
    "A plan is optional. The smallest one is a file prd.json in the project's root:",
    '  {"name": "My project", "userStories": [{"id": "US-001", "title": "First story", "passes": false}]}',
    "Whoever finishes a story sets `passes` to true; that is noticed, and logged.",
)
"""Told where no story is known."""


@click.command(
    help="Begin to keep a log here: makes .agent-os/progress/, which ignores itself in git.",
    epilog="Example: agent-progress init --statusline",
)
@click.option(
    "--statusline", is_flag=True, help="Print the entry for Claude Code's settings instead; edits nothing."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, statusline: bool, as_json: bool) -> None:
    """Translate the command line into one call and its answer into text."""
    if statusline:
        _show_status_line()
        return
    answer = init(find_project(ctx.obj))
    if as_json:
        print_json(answer)
        return
    verb = "Made" if answer["created"] else "Kept"
    read = [one_line(path, _LONGEST_PATH) for path in answer["sources"]]
    found = some_of(read, _MOST_READ) or "no plan or log yet; the first `agent-progress log` begins one"
    proposals = _proposals(answer["elsewhere"])
    say(f"{verb} {answer['directory']} for the project {answer['project']}.")
    say(f"Read: {found}.")
    for line in proposals:
        say(line)
    if not answer["stories"] and not answer["elsewhere"]["plans"]:
        for line in _FIRST_PLAN:
            say(line)
    if answer["proposed_summary_path"]:
        path = shlex.quote(answer["proposed_summary_path"])
        say("Not needed for this plugin: agents that follow the autonomous-dev workflow read a file")
        say(f"{path} beside their plan. Only if you use them, have a copy of the summary written there,")
        say("in every project of yours:")
        say(f"  agent-progress config set --user summary_path {path}")


def _proposals(elsewhere: dict[str, list[str]]) -> list[str]:
    """Return how to have a file read that looks like a log or a plan, and is where we do not look.

    A name that a terminal cannot show as it is does not appear in a command to be copied.
    """
    lines = []
    logs = [path for path in elsewhere["logs"] if path.isprintable()]
    plans = [path for path in elsewhere["plans"] if path.isprintable()]
    if logs:
        value = shlex.quote(json.dumps(logs, ensure_ascii=False))
        lines += ["Not read, by their names logs of agents. If they are, name those that should be read:"]
        lines += [f"  agent-progress config set log_files {value}"]
    if plans:
        lines += ["Not read, by their names plans. If one is yours:"]
        lines += [f"  agent-progress config set plan {shlex.quote(path)}" for path in plans]
    return lines


def status_line_entry() -> dict[str, Any]:
    """Return the entry that switches the status line on, as Claude Code's settings have it."""
    launcher = shlex.quote(os.path.join(PLUGIN_ROOT, "bin", "agent-progress"))
    return {"statusLine": {"type": "command", "command": f"sh {launcher} statusline"}}


def _show_status_line() -> None:
    print_json(status_line_entry())
    say("Put this into ~/.claude/settings.json, or .claude/settings.json of a project.", err=True)
