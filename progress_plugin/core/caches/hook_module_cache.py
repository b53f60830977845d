"""Keeps the compiled modules of the hooks' quick looks for `core.fast.kept_modules`, which runs them."""

import marshal
import os

from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.fast import kept_modules
from progress_plugin.core.files import atomic_file

_FAST = "progress_plugin.core.fast"
_PACKAGES = ("progress_plugin", "progress_plugin.core", _FAST)
_OF_BOTH = (
    *(
        f"{_FAST}.{name}"
        for name in ("hook_process", "hook_input", "minimal_os", "shown_sessions", "start_cache")
    ),
    *(f"progress_plugin.core.{name}" for name in ("clients", "known_paths", "version")),
)
_OF_ONE = {
    "start": (
        "progress_plugin.start_entry",
        *(f"{_FAST}.{name}" for name in ("start_hook", "transcript_folder", "unused_project")),
    ),
    "record": (
        "progress_plugin.record_entry",
        *(f"{_FAST}.{name}" for name in ("file_note_index", "hook_filter")),
    ),
}
"""What a quick look imports that ends there, by the entry point; tests/budgets holds that it is all of it."""


def keep() -> None:
    """Keep the modules of all entry points for their next calls; without effect where that cannot be."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(__file__)))) + "/"
    for entry_point, of_one in _OF_ONE.items():
        place = kept_modules.place(root, entry_point)
        states = {name: _state(root, name) for name in (*_PACKAGES, *_OF_BOTH, *of_one)}
        if place and {name: kept[:3] for name, kept in kept_modules.read(place).items()} != states:
            _write(place, root, {name: state for name, state in states.items() if state})


def _write(place: str, root: str, states: dict[str, tuple[int, int, bool]]) -> None:
    try:
        content = marshal.dumps({name: (*state, _compiled(root, name)) for name, state in states.items()})
        atomic_file.replace(place, kept_modules.checksum(content) + content, durable=False)
    except (OSError, AgentProgressError):
        return


def _state(root: str, name: str) -> tuple[int, int, bool] | None:
    is_package = name in _PACKAGES
    state = kept_modules.state_of(kept_modules.source_of(root, name, is_package))
    return (*state, is_package) if state else None


def _compiled(root: str, name: str) -> object:
    source = kept_modules.source_of(root, name, name in _PACKAGES)
    with open(source, "rb") as file:
        return compile(file.read(), source, "exec", dont_inherit=True, optimize=2)
