"""`agent-progress doctor`: whether everything works here, and what to do where it does not."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

import click

from progress_plugin.cli.doctor_text import lines
from progress_plugin.cli.output import print_context, print_json, say
from progress_plugin.cli.progress_note import progress_note
from progress_plugin.core.errors import NoProject
from progress_plugin.core.project import Project, find_project
from progress_plugin.usecases.doctor.examination import Examination, examine
from progress_plugin.usecases.hook_timing import Timing, time_hooks


@click.command(
    help="Start the real hooks as a client does, look at installation, settings, log and database, and say "
    "what to do. Nothing of yours is changed. Exit 1 where something is wrong, for CI.",
    epilog="Example: agent-progress doctor --timing",
)
@click.option(
    "--context", "show_context", is_flag=True, help="Print exactly what an agent gets at a startup."
)
@click.option("--timing", is_flag=True, help="Measure the hooks on this machine, beside bare interpreters.")
@click.option("--verbose", is_flag=True, help="Say everything that was found, also of what works.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, show_context: bool, timing: bool, verbose: bool, as_json: bool) -> None:
    """Examine, then print, the worst first; `--context` prints the context alone."""
    with progress_note("starting the hooks"):
        found = examine(_project(ctx.obj), datetime.now(UTC))
        times = time_hooks() if timing else []
    if as_json:
        print_json(_as_object(found, times))
    elif show_context:
        print_context(found.context)
    else:
        told = lines(found.findings, verbose=verbose, on_screen=sys.stdout.isatty())
        say("\n".join([*told, *_table(times)]))
    if not found.is_good:
        ctx.exit(1)


def _project(named: str | None) -> Project | None:
    try:
        return find_project(named)
    except NoProject:
        return None


def _as_object(found: Examination, times: list[Timing]) -> dict[str, object]:
    return {
        "ok": found.is_good,
        "findings": [finding._asdict() for finding in found.findings],
        "context": found.context,
        "timing": [time._asdict() for time in times],
    }


def _table(times: list[Timing]) -> list[str]:
    rows = [
        f"{time.name}  {time.what:<32} {time.milliseconds:6.1f} ms  {time.ratio:.2f} x {time.unit}, "
        f"bound {time.bound:g}{'' if time.ratio <= time.bound else '  ← slower'}"
        for time in times
    ]
    return ["", *rows] if rows else []
