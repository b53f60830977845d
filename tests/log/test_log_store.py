"""The log on the disk is appended to and never lost."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.errors import BadInput, Refused
from progress_plugin.log import backup, store
from progress_plugin.log.document import Log, serialise
from progress_plugin.log.entry import new_draft

DONE = new_draft("task_completed", {"description": "a"}, "auth", "US-1")


def corrupt_copies(place: Any) -> list[Path]:
    return sorted(place.path.glob("progress.json.corrupt-*"))


def test_the_first_append_makes_a_whole_document(place: Any) -> None:
    entry = place.append(DONE).entries[0]
    document = place.document()
    assert re.fullmatch("[0-9a-f]{16}", document["metadata"].pop("project_id"))
    assert document == {
        "version": "1.0",
        "project": "demo",
        "entries": [
            {"id": entry["id"], "timestamp": "2026-03-14T15:09:26Z", "type": "task_completed", "spec": "auth",
             "task_id": "US-1", "data": {"description": "a"}},
        ],
        "metadata": {"total_entries": 1, "archived_entries": 0, "oldest_entry": "2026-03-14T15:09:26Z",
                     "archived_through": None, "last_updated": "2026-03-14T15:09:26Z"},
    }  # fmt: skip


def test_unknown_keys_and_odd_entries_are_there_after_an_append(place: Any) -> None:
    odd = [
        {"id": "x", "type": "custom", "timestamp": "soon", "mood": "fine", "data": {"a": [1]}},
        "text",
        None,
    ]
    place.write(odd, origin={"tool": 7}, metadata={"note": "keep", "total_entries": 99})
    place.done()
    document = place.document()
    assert document["entries"][:3] == odd
    assert document["origin"] == {"tool": 7}
    assert document["metadata"]["note"] == "keep"
    assert document["metadata"]["total_entries"] == 4


def test_a_log_in_conflict_goes_on_with_both_sides_and_is_kept(place: Any) -> None:
    ours, theirs = (json.dumps(entry).encode() for entry in place.old_entries(2))
    before = b'{"entries": [\n<<<<<<< HEAD\n%b\n=======\n%b\n>>>>>>> x\n]}' % (ours, theirs)
    place.file.write_bytes(before)
    place.done()
    assert place.ids()[:2] == ["old-0", "old-1"]
    assert [copy.read_bytes() for copy in corrupt_copies(place)] == [before]


@pytest.mark.slow
def test_truncated_at_every_byte_the_next_append_loses_nothing_and_keeps_the_original(place: Any) -> None:
    first, second = place.append(new_draft("session_started", {}), new_draft("session_ended", {})).entries
    whole = place.file.read_bytes()
    for cut in range(len(whole.rstrip())):
        place.file.write_bytes(whole[:cut])
        entry = place.done("US-3")
        assert place.ids() == [first["id"], second["id"], entry["id"]], f"cut at byte {cut}"
        copies = corrupt_copies(place)
        assert [copy.read_bytes() for copy in copies] == [whole[:cut]], f"cut at byte {cut}"
        copies[0].unlink()
        place.file.write_bytes(whole)
        backup.write(place.directory, store.load(place.directory), [], place.now)


def test_what_was_recovered_is_said_and_from_where(place: Any) -> None:
    for number in range(4):
        place.done(f"US-{number}")
    place.file.write_bytes(b"")
    notes = place.append(DONE).notes
    assert (
        notes[0]
        == "progress.json does not parse (Expecting value: line 1 column 1 (char 0)): 0 entries read from it"
    )
    assert re.fullmatch(r"4 entries more came from .*/logs/.*/progress\.json", notes[1])
    assert len(place.ids()) == 5


def test_a_home_that_is_a_file_costs_a_note_and_no_entry(
    place: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HOME", str(tmp_path / "file"))
    notes = place.append(DONE).notes
    assert len(notes) == 1
    assert notes[0].startswith("could not keep a copy outside the project: ")
    assert len(place.ids()) == 1


def test_a_log_that_is_a_link_out_of_the_project_is_neither_read_nor_written(
    place: Any, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text('{"entries": []}')
    place.file.symlink_to(outside)
    with pytest.raises(Refused, match=r"progress\.json is a link out of the project; remove the link"):
        place.done()
    assert outside.read_text() == '{"entries": []}'


def test_progress_md_that_cannot_be_written_costs_a_note_and_no_entry(place: Any) -> None:
    (place.path / "progress.md").mkdir()
    notes = place.append(DONE).notes
    assert len(notes) == 1
    assert notes[0].startswith("could not write progress.md: ")
    assert len(place.ids()) == 1


FILL = """
import resource, signal, sys
from datetime import UTC, datetime
from progress_plugin.config.settings import Settings
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.log import store
from progress_plugin.log.entry import new_draft
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
sys.dont_write_bytecode = True
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), -1))
draft = new_draft("task_completed", {"notes": "x" * 3000})
try:
    appended = store.append(sys.argv[1], [draft], Settings(), now=datetime.now(UTC), project_name="demo")
except AgentProgressError as error:
    print(error)
else:
    print(len(appended.entries), len(appended.notes))
"""


def test_a_disk_that_takes_no_more_leaves_the_log_as_it_was(place: Any) -> None:
    place.done()
    before = {path: path.read_bytes() for path in place.root.rglob("*") if path.is_file()}
    command = [sys.executable, "-c", FILL, place.directory, "2000"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (
        run.stdout
        == f"cannot write {place.file}: File too large; the file is as it was; files may not get that large there: see `ulimit -f`\n"
    )
    assert {path: path.read_bytes() for path in place.root.rglob("*") if path.is_file()} == before


def test_a_log_too_deep_to_write_is_one_line() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(BadInput, match="an entry of the log nests too deeply"):
        serialise(Log({}, [deep], None))


def test_an_entry_that_reads_differently_in_the_damaged_log_and_in_the_copy_is_kept_as_both_have_it(
    place: Any,
) -> None:
    entry = place.done("US-1")
    changed = {**entry, "data": {"description": "mended by hand"}}
    place.file.write_text(json.dumps({**place.document(), "entries": [changed]})[:-1])
    place.done("US-2")
    kept = [each["data"] for each in place.document()["entries"] if each["id"] == entry["id"]]
    assert kept == [entry["data"], changed["data"]]
