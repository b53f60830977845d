"""`agent-progress recall`: what the whole history says on a question."""

from __future__ import annotations

from typing import Any

import click

from progress_plugin.cli.output import print_context
from progress_plugin.cli.recall_request import FILTERS, NAME, Request, answer
from progress_plugin.usecases.recalling.recall import DEFAULT, MOST


@click.pass_context
def _recall(ctx: click.Context, /, **given: Any) -> None:
    told = answer(ctx.obj, Request(**given))
    print_context(f"{told.text}\n")
    ctx.exit(told.code)


command = click.Command(
    NAME,
    callback=_recall,
    params=[
        click.Argument(["words"], nargs=-1),
        *(click.Option([f"--{name}"], metavar=shown, help=told) for name, (shown, told) in FILTERS.items()),
        click.Option(
            ["-n", "number"],
            type=click.IntRange(1, MOST),
            default=DEFAULT,
            show_default=True,
            help="How many.",
        ),
        click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON object."),
    ],
    help="Find what log, archive, agents' logs and plans say on WORDS: a question, names of code, a path; "
    "exit 1 where nothing fits.",
    epilog="Example: agent-progress recall why is the search cached --file harbour/search.py",
)
