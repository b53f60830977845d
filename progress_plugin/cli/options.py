"""Options and arguments that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import click

from progress_plugin.core.errors import NoProject
from progress_plugin.core.project import Project, find_project

_P = ParamSpec("_P")
_R = TypeVar("_R")
_Function = TypeVar("_Function", bound=Callable[..., Any])


class ShellPath(click.Path):
    """A path as a shell means it: relative to the working directory, whatever `-C` names."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the absolute path; empty text is left to the command, which says what is wrong with it."""
        return super().convert(os.path.abspath(value) if value.strip() else value, param, ctx)


def json_option(command: _Function) -> _Function:
    """Add `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")(command)


def pass_project(command: Callable[Concatenate[Project, _P], _R]) -> Callable[_P, _R]:
    """Call a command with the project that `-C` names, or that is found upward from the working directory."""

    @wraps(command)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        return command(find_project(click.get_current_context().obj), *args, **kwargs)

    return call


def project_or_none() -> Project | None:
    """Return the project of this call, or None if there is none here."""
    try:
        return find_project(click.get_current_context().obj)
    except NoProject:
        return None
