"""Which entries only copies of the log still hold, and which others have erased."""

from __future__ import annotations

from typing import Any

from progress_plugin.log import archive, backup, known_erasures, shared_entries, store, team_erasures
from progress_plugin.log.document import Log, parse
from progress_plugin.log.entry import entry_identity, text_of, writer_of
from progress_plugin.log.foreign_entry import digest_of
from progress_plugin.log.history import everything
from progress_plugin.text.bounds import counted


def find_missing(directory: str, *, adopt: bool = False) -> dict[str, list[Any]]:
    """Return what neither log nor archive holds, by the newest copy that has it; erased entries are left out.

    Copies that nothing shows to be of this log count only with `adopt`.
    """
    log = parse(store.raw(directory))
    known = identities_here(directory, log)
    erased = known_erasures.read(directory)
    found: dict[str, list[Any]] = {}
    for copy in reversed(backup.all_copies(directory, log, adopt=adopt)):
        gone = [each for each in copy.log.entries if entry_identity(each) not in known]
        gone = [each for each in gone if not erased.covers(each)]
        known |= {entry_identity(each) for each in gone}
        if gone:
            found[copy.path] = gone
    return found


def identities_here(directory: str, log: Log) -> set[str]:
    """Return what identifies the entries of log and archive."""
    months = (archive.read_month(directory, name) for name in archive.month_names(directory))
    return {entry_identity(item) for each in (log, *months) for item in each.items}


def find_unproven(directory: str, log: Log) -> list[tuple[str, int]]:
    """Return the folders outside that may be another project's, each with its number of entries."""
    erased = known_erasures.read(directory)
    found = []
    for folder in backup.outside_folders(directory, log).unproven:
        logs = [backup.read_file(path) for path in backup.files_outside(folder)]
        number = sum(not erased.covers(entry) for each in logs for entry in each.entries)
        if number:
            found.append((folder, number))
    return found


def describe_lost(directory: str, log: Log) -> str | None:
    """Return a line about a history that only copies hold, if log or directory were removed or replaced."""
    copies = backup.find_vanished(directory, log)
    if copies:
        known, erased = identities_here(directory, log), known_erasures.read(directory)
        gone = {
            entry_identity(entry)
            for copy in copies
            for entry in copy.log.entries
            if entry_identity(entry) not in known and not erased.covers(entry)
        }
        archived = max(_archived(copy.log) for copy in copies) - max(len(known) - len(log.items), 0)
        number = len(gone) + max(archived, 0)
        if number:
            return (
                f"a history of {counted(number, 'entry')} is gone from here; "
                "`agent-progress repair` brings it back"
            )
    if log.raw is None:
        foreign = sum(number for _, number in find_unproven(directory, log))
        if foreign:
            return (
                f"copies kept for this path hold {counted(foreign, 'entry')}, and nothing shows that they "
                "were this project's; `agent-progress verify` names them"
            )
    return None


def erased_by_others(directory: str) -> dict[str, str]:
    """Return the ids of the entries of our log that others have erased, oldest first, with who says so."""
    by_git, by_team = shared_entries.erasures(directory), team_erasures.read_erased(directory)
    found: dict[str, str] = {}
    for entry in everything(directory) if by_git or by_team else ():
        name, writer = text_of(entry, "id"), writer_of(entry)
        digest = digest_of(name) if name else ""
        says = by_team.get(digest) or (writer if (digest, writer) in by_git else None)
        if name and says is not None:
            found[name] = says
    return found


def _archived(log: Log) -> int:
    """Return how many entries a log had in its archive, as it says itself."""
    number = log.metadata.get("archived_entries")
    return number if isinstance(number, int) else 0
