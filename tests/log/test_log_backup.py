"""The copy of the log outside the project brings back what `git clean -fdx` or another program took."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core import data_directory
from progress_plugin.core.project import find_project
from progress_plugin.log import backup, store
from progress_plugin.usecases.upkeep import repair_log
from tests.log.conftest import limits

EARLIER = "an earlier log at this path, perhaps of another clone or folder, had"
BRINGS_BACK = "more; `agent-progress repair` restores what is missing"


def git(root: Path, *words: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True)


def begin(root: Path, message: str = "begin") -> None:
    git(root, "init", "-q")
    git(root, "commit", "-q", "--allow-empty", "-m", message)


def outside(place: Any) -> list[Path]:
    return [Path(folder) for folder in backup.folders_of_path(place.directory)]


def lost(place: Any) -> str:
    return str(backup.describe_lost(place.directory, store.load(place.directory)))


def mend(place: Any) -> list[str]:
    return repair_log(find_project(str(place.root)), place.now)


def clean(place: Any) -> None:
    """Do what `git clean -fdx` does to our directory."""
    shutil.rmtree(place.path)
    data_directory.prepare(place.directory)
    place.now += timedelta(minutes=1)


def everything(place: Any) -> list[str]:
    return [entry["id"] for entry in store.read_all_entries(place.directory)]


def test_the_copy_is_the_newest_version_and_private(place: Any, home: Path) -> None:
    place.done()
    (folder,) = outside(place)
    copy = folder / "progress.json"
    assert copy.is_relative_to(home)
    assert copy.read_bytes() == place.file.read_bytes()
    assert (copy.stat().st_mode & 0o777, folder.stat().st_mode & 0o777) == (0o600, 0o700)


def test_what_leaves_the_log_is_kept_outside_too(place: Any) -> None:
    """Entries that move to the archive, and those that another program takes out, again and again."""
    place.write(place.old_entries(4, days=25))
    place.done(limits=limits(entries=2))
    for _ in range(3):
        whole = place.document()
        kept = whole["entries"].pop(0)
        place.file.write_text(json.dumps(whole))
        place.done()
        place.file.write_text(json.dumps({**whole, "entries": [kept, *whole["entries"]]}))
        place.done()
    (folder,) = outside(place)
    held = [entry["id"] for entry in backup.read_entries(str(folder))]
    assert set(held) >= {"old-0", "old-1", "old-2", "old-3", *place.ids()}
    assert max(map(held.count, held)) <= 2, "once in each file"


def test_half_a_line_of_a_killed_writer_spoils_no_other(place: Any) -> None:
    place.write(place.old_entries(4, days=25))
    place.done()
    (folder,) = outside(place)
    (folder / "earlier.jsonl").write_text('{"id": "half')
    place.done(limits=limits(entries=2))
    held = [entry["id"] for entry in backup.read_entries(str(folder))]
    assert held[:3] == ["old-0", "old-1", "old-2"]


@pytest.mark.parametrize("goes_on", [False, True])
def test_log_and_archive_come_back_after_git_clean(place: Any, goes_on: bool) -> None:
    begin(place.root)
    place.write(place.old_entries(6, days=20))
    place.done(limits=limits(entries=5))
    before = everything(place)
    clean(place)
    later = [place.done(f"US-{number}")["id"] for number in range(5)] if goes_on else []
    assert lost(place) == f"{EARLIER} 7 entries {BRINGS_BACK}"
    mend(place)
    assert everything(place) == [*before, *later]
    assert lost(place) == "None"


def test_a_log_of_another_project_in_the_place_of_ours_is_said_until_ours_is_back(place: Any) -> None:
    ids = [place.done(f"US-{number}")["id"] for number in range(3)]
    place.write(place.old_entries(1), metadata={"project_id": "0123456789abcdef"})
    assert lost(place) == f"{EARLIER} 3 entries {BRINGS_BACK}"
    mend(place)
    assert (place.ids(), lost(place)) == (["old-0", *ids], "None")


def test_another_repository_at_the_path_gets_no_entry_of_the_first_and_takes_none_away(place: Any) -> None:
    begin(place.root, "the first")
    place.done("US-1")
    shutil.rmtree(place.root)
    place.root.mkdir()
    data_directory.prepare(place.directory)
    begin(place.root, "the second")
    place.file.write_bytes(b"{")
    own = place.done("US-8")["id"]
    assert (lost(place), mend(place)) == ("None", [])
    assert place.ids() == [own]
    assert len(outside(place)) == 2


@pytest.mark.parametrize("has_repository", [False, True])
def test_a_damaged_log_is_filled_up_from_the_copy_of_its_project(place: Any, has_repository: bool) -> None:
    if has_repository:
        begin(place.root)
    ids = [place.done(f"US-{number}")["id"] for number in range(3)]
    place.file.write_bytes(b"{")
    assert [entry["id"] for entry in store.load(place.directory).entries] == ids


def test_copies_go_thirty_days_after_the_last_write_of_a_project_that_is_gone(
    place: Any, tmp_path: Path
) -> None:
    place.done()
    above = outside(place)[0].parent
    for name, days, root in (
        ("gone", 31, tmp_path / "x"),
        ("young", 29, tmp_path / "x"),
        ("paused", 400, tmp_path),
    ):
        (above / name).mkdir()
        (above / name / "project.json").write_text(json.dumps({"root": str(root)}))
        (above / name / "progress.json").write_text("{}")
        age = place.now.timestamp() - days * 86400
        os.utime(above / name / "progress.json", (age, age))
    other = type(place)(tmp_path / "other")
    other.done()
    assert {"young", "paused"} == {path.name for path in above.iterdir()} & {"gone", "young", "paused"}
