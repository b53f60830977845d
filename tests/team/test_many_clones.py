"""Fifty clones with a thousand entries logged apart, and a server that loses a part of them: everybody ends with all."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from progress_plugin.core.project import find_project
from progress_plugin.usecases.recording.log_entry import log_entry
from tests.team.members import Member, here, member
from tests.team.postgres import Database
from tests.torture.figures import SECONDS

CLONES, ENTRIES = (50, 20) if SECONDS else (6, 3)


def logged_apart(place: Path, name: str, database: Database) -> tuple[Member, set[str]]:
    """Return a clone that has logged before it takes part, and the ids that were acknowledged."""
    clone = member(place, name, database)
    config = clone.home / ".config/agent-progress/config.toml"
    config.write_text(f"auto_generate = false\n{config.read_text('utf-8')}", "utf-8")
    with here(clone):
        project = find_project(str(clone.root))
        done = [
            log_entry(project, "milestone_reached", now=datetime.now(UTC), description=f"{name} {number}")
            for number in range(ENTRIES)
        ]
    return clone, {each.entries[-1]["id"] for each in done}


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_every_acknowledged_entry_is_everywhere_once(tmp_path: Path, database: Database) -> None:
    made = [logged_apart(tmp_path, f"m{number}", database) for number in range(CLONES)]
    clones = [clone for clone, _ in made]
    acknowledged = {name for _, ids in made for name in ids}
    chance = random.Random(7)
    clones[0].sync()  # the one process that all commands are forks of is started by one thread
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(Member.sync, chance.sample(clones, CLONES)))
        database.do("delete from agent_progress.log where seq > %s", len(acknowledged) // 3)
        for _ in range(2):
            list(pool.map(Member.sync, chance.sample(clones, CLONES)))
    rows = [row[0] for row in database.do("select id from agent_progress.log order by seq")]
    assert sorted(rows) == sorted(acknowledged)
    assert len(acknowledged) == CLONES * ENTRIES
    for clone in clones:
        assert clone.entries().keys() == acknowledged  # `entries` sees that none is there twice
