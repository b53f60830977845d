"""Which entries the team has erased, as the last sync saw it, and which of them this log has.

Nothing that comes from a server takes an entry out of a log: `sync`, `verify` and `doctor` name it, and the
user erases it.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping

from progress_plugin.log import team_state
from progress_plugin.text.bounds import some_of

ERASED = f"{team_state.FOLDER}/erased"
MAX_COMMANDS = 3  # that are written out; the next call names the rest


def read_erased(directory: str) -> dict[str, str]:
    """Return the digests of the ids of erased entries, each with the writer who erased it."""
    digests = team_state.json_of(team_state.read(directory, ERASED)).get("digests")
    return digests if isinstance(digests, dict) else {}


def save_erased(directory: str, digests: Mapping[str, str]) -> None:
    """Keep which entries the team has erased. The caller holds `sync_lock`. Raises as `write_atomic`."""
    team_state.put(directory, ERASED, json.dumps({"digests": digests}).encode())


def sentence(here: Mapping[str, str]) -> str:
    """Return that this log has entries which the team has erased."""
    writers = some_of(sorted(set(here.values())))
    return f"erased by the team ({writers} says so), and in this log still: {some_of(list(here))}"


def remedy(here: Iterable[str], root: str | None = None) -> str:
    """Return the commands that erase these entries; `root` is that of another worktree if they are there."""
    program = f"agent-progress -C {shlex.quote(root)}" if root else "agent-progress"
    return "; ".join(f"`{program} erase {shlex.quote(name)} --yes`" for name in list(here)[:MAX_COMMANDS])
