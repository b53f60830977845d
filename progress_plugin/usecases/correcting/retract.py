"""Take back an entry: it stays in the log, and no longer counts. What a plan says of it still does."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from progress_plugin.core.errors import BadInput
from progress_plugin.core.project import Project
from progress_plugin.log.entry import CLAIM_TYPE, data_of, text_of, texts_of
from progress_plugin.log.history import everything
from progress_plugin.log.merge import retracted
from progress_plugin.usecases.recording.append import Logged
from progress_plugin.usecases.recording.log_entry import log_entry
from progress_plugin.usecases.sharing import take_in_latest


def retract(
    project: Project, ids: Sequence[str], *, reason: str | None, now: datetime, session: str | None
) -> Logged:
    """Append an entry that hides others from summary and counts, archived ones too.

    `now` carries its zone. Raises BadInput, naming all faults, for ids that are unknown, retracted already
    or themselves retractions; and what `log_entry` raises. Nothing is written then.
    """
    take_in_latest(project)
    entries = everything(project.log_directory)
    known = {text_of(entry, "id"): entry for entry in entries}
    gone = retracted(entries)
    wanted = list(dict.fromkeys(ids))
    faults = [f"{name} is no entry of this log" for name in wanted if name not in known]
    faults += [f"{name} is retracted already" for name in wanted if name in gone]
    for name in wanted:
        if name in known and texts_of(data_of(known[name]), "retracts"):
            faults.append(f"{name} is a retraction; log again what it took back")
    if faults:
        raise BadInput(
            f"nothing was retracted: {'; '.join(faults)}; `agent-progress recent --json` lists ids"
        )
    data = {"retracts": wanted, "reason": reason or "retracted"}
    return log_entry(project, CLAIM_TYPE, now=now, data=data, session=session)
