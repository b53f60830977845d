"""All sources of settings put together, the strongest last, with where each value comes from.

Which settings there are is in `config.settings`, what each source may say, in `config.sources`.
A faulty value is passed over and noted there (`Source.take`, `from_toml`); the faults are told by
`usecases.doctor.project` and, at a start, through `usecases.summarizing.sources`.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from progress_plugin.config import sources
from progress_plugin.config.settings import SETTINGS, Settings


class Loaded(NamedTuple):
    """The settings that count now, and those that count for what is kept."""

    effective: Settings
    """For the output of this call: environment and command line included."""
    stored: Settings
    """For the stored summary and all that is written: files and plan only."""
    origin: dict[str, str]
    """By setting, where the effective value comes from: a file, a variable, `command line` or `default`."""
    faults: tuple[str, ...]
    """One line for each thing that is wrong: the source, the key, what is allowed."""
    passed_over: dict[str, str]
    """By setting, the place whose value is not allowed, where no stronger source has one that is."""


def load(  # noqa: PLR0913 - one parameter for each source of settings
    project_toml: bytes | None,
    plan_optimization: Mapping[str, Any],
    user_toml: bytes | None,
    environ: Mapping[str, str],
    command_line: Mapping[str, Any] | None = None,
    *,
    plan_path: str = "prd.json",
    user_path: str = sources.USER_FILE,
) -> Loaded:
    """Return the settings from what the sources hold; reads nothing itself and raises nothing.

    Command line goes before environment, project file, plan, user file, default. A faulty value is reported
    and the next source asked. `plan_optimization` is `Plan.settings`; the paths are for messages.
    """
    kept = (
        sources.from_toml(user_toml, user_path, user=True),
        sources.from_plan(plan_optimization, plan_path),
        sources.from_toml(project_toml, sources.PROJECT_FILE, user=False),
    )
    passing = (sources.from_environment(environ), sources.from_command_line(command_line or {}))
    return Loaded(
        effective=_merged(*kept, *passing),
        stored=_merged(*kept),
        origin=_origin(*kept, *passing),
        passed_over=_passed_over(*kept, *passing),
        faults=tuple(fault for source in reversed(kept + passing) for fault in source.faults),
    )


def _merged(*ascending: sources.Source) -> Settings:
    values: dict[str, Any] = {}
    for source in ascending:
        values |= source.values
    return Settings.model_construct(**values)  # each value is validated in its source


def _passed_over(*ascending: sources.Source) -> dict[str, str]:
    found: dict[str, str] = {}
    for source in ascending:
        found = {name: where for name, where in found.items() if name not in source.values}
        found |= {name: source.places.get(name, source.where) for name in source.refused}
    return found


def _origin(*ascending: sources.Source) -> dict[str, str]:
    origin = dict.fromkeys(SETTINGS, "default")
    for source in ascending:
        origin |= {name: source.places.get(name, source.where) for name in source.values}
    return origin
