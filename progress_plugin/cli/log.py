"""`agent-progress log TYPE`: append an entry to the progress log."""

from __future__ import annotations

from typing import Any

import click

from progress_plugin.cli import log_request
from progress_plugin.cli.log_request import Option


def _option(option: Option) -> click.Option:
    """Return an option of the table as click knows it."""
    return click.Option(
        [*option.names, option.field],
        metavar=option.metavar,
        is_flag=True if option.metavar is None else None,
        multiple=option.repeats,
        type=None if option.least is None else click.IntRange(min=option.least),
        help=option.help,
    )


@click.pass_context
def _log(ctx: click.Context, /, type_: str, **values: Any) -> None:
    log_request.answer(ctx.obj, type_, values).tell()


command = click.Command(
    log_request.NAME,
    callback=_log,
    params=[
        click.Argument(["type_"], metavar=log_request.TYPE),
        *(_option(option) for option in log_request.OPTIONS),
    ],
    help=log_request.HELP,
    epilog=log_request.EPILOG,
)
