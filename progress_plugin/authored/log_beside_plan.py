"""The names of a log beside a plan's own file (S5.2).

All other names and places of logs are in `core.known_paths` (`LOG_PLACES`); which entries of such a log a
hook records, in `usecases.recording.entries_from_signals`.
"""

from __future__ import annotations

NAMES = ("progress.md", "progress.txt")


def beside(plan_path: str) -> tuple[str, ...]:
    """Return where a log of this plan would be: in the plan's own folder."""
    folder = plan_path.rpartition("/")[0]
    return tuple(f"{folder}/{name}" if folder else name for name in NAMES)
