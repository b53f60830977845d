"""`erase` removes a leaked text from all of our files, and touches no other file."""

from __future__ import annotations

import json
import shutil
import unicodedata
from pathlib import Path

import pytest

from progress_plugin.core.project import find_project
from progress_plugin.log.pending_events import spool_lock
from tests.background import wait_for_processes
from tests.torture.workplace import Workplace, snapshot

SECRET = "hunter2Sesame"
COPIES = (
    "recovery/original-x.json", "progress.json.corrupt-1", "archive/2026-01.json", "archive/2026-01.json.corrupt-1",
    "recovery/progress-000009-20260314-00000000.json", "shared/host-b/2026-03/entry-1.0123456789ab.json", "notes.json",
)  # fmt: skip
MADE = (
    "progress.md",
    "progress-summary.md",
    "summaries/main.md",
    "report.html",
)
FOLDERS = ("recovery", "archive", "shared")


@pytest.fixture
def place(tmp_path: Path) -> Workplace:
    """Return a repository whose log holds the secret."""
    place = Workplace(tmp_path / "lighthouse")
    place.plan(done=4)
    place.commit()
    place.log(f"opened it with {SECRET}", "--learning", f"Gotcha: {SECRET} opens it")
    return place


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Return somebody else's directory in which every file holds the same text."""
    folder = tmp_path / "outside"
    folder.mkdir()
    entry = {
        "id": "theirs",
        "timestamp": "2026-01-01T00:00:00Z",
        "type": "milestone_reached",
        "data": {"n": SECRET},
    }
    for name in ("file", "original-y.json", "2026-02.json", "abc.open", "main.md", ".agent-progress-x.tmp"):
        (folder / name).write_text(json.dumps({"entries": [entry]}))
    return folder


def erased(place: Workplace, printed: pytest.CaptureFixture[str]) -> str:
    """Erase the secret, check that none of it is left in the project, and return the output."""
    place.command("erase", SECRET, "--yes")
    return printed.readouterr().out


def put_link(place: Workplace, name: str, target: Path) -> Path:
    """Put a link in the place of one of our files."""
    link = place.ours / name
    link.parent.mkdir(parents=True, exist_ok=True)
    if link.is_dir():
        shutil.rmtree(link)
    link.unlink(missing_ok=True)
    link.symlink_to(target)
    return link


@pytest.mark.parametrize("names", [COPIES, FOLDERS], ids=["files", "folders"])
def test_links_out_of_the_project_are_named_and_nothing_behind_them_is_read_or_written(
    place: Workplace, outside: Path, capsys: pytest.CaptureFixture[str], names: tuple[str, ...]
) -> None:
    links = [put_link(place, name, outside if names is FOLDERS else outside / "file") for name in names]
    before = snapshot(outside)
    said = erased(place, capsys)
    assert snapshot(outside) == before
    for link in links:
        assert f"{link} is a link and was not followed; remove it\n" in said
    assert SECRET not in (place.ours / "progress.json").read_text()


def test_links_in_the_place_of_what_is_made_anew_go(
    place: Workplace, outside: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    links = [put_link(place, name, outside / "file") for name in MADE]
    before = snapshot(outside)
    erased(place, capsys)
    assert snapshot(outside) == before
    assert not any(link.is_symlink() for link in links)


def test_a_log_that_is_a_link_is_refused(place: Workplace, capsys: pytest.CaptureFixture[str]) -> None:
    (place.ours / "progress.json").rename(place.root / "shared.json")
    (place.ours / "progress.json").symlink_to("../../shared.json")
    before = (place.root / "shared.json").read_bytes()
    assert place.command("erase", SECRET, "--yes") == 1
    assert "nothing was erased: " in capsys.readouterr().err
    assert (place.root / "shared.json").read_bytes() == before


def worktree(place: Workplace, path: Path, *, named: bool) -> Workplace:
    """Add a worktree to the repository, with a summary of ours in it; `named` by an entry or not."""
    place.git("worktree", "add", "-q", str(path), "-b", path.name)
    linked = Workplace.at(path)
    if named:
        linked.log("from the side")
    linked.start()
    with spool_lock(find_project(str(linked.root)).log_directory, 30):
        pass  # what renews the other worktrees has ended: it would work on whatever comes to this place
    return linked


@pytest.mark.parametrize("named", [True, False])
def test_a_worktree_keeps_nothing_of_it(
    place: Workplace, tmp_path: Path, capsys: pytest.CaptureFixture[str], named: bool
) -> None:
    linked = worktree(place, tmp_path / "side", named=named)
    assert holding(linked.ours)
    erased(place, capsys)
    assert holding(linked.root) == []


def test_a_worktree_that_was_moved_is_named_until_git_knows_where_it_is(
    place: Workplace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    linked = worktree(place, tmp_path / "side", named=True)
    linked.root.rename(tmp_path / "moved")
    told = f"{linked.root}: this worktree is gone"
    assert place.command("erase", SECRET, "--yes") == 1
    assert told in capsys.readouterr().out
    assert holding(tmp_path / "moved")
    place.git("worktree", "repair", str(tmp_path / "moved"))
    assert told not in erased(place, capsys)
    assert holding(tmp_path / "moved") == []


@pytest.mark.parametrize("successor", ["a plain folder", "a worktree of another"])
def test_an_unrelated_project_where_a_removed_worktree_was_is_not_touched(
    place: Workplace, tmp_path: Path, capsys: pytest.CaptureFixture[str], successor: str
) -> None:
    linked = worktree(place, tmp_path / "side", named=True)
    shutil.rmtree(linked.root)
    if successor == "a worktree of another":
        owner = Workplace(tmp_path / "another")
        owner.plan(done=1)
        owner.commit()
        other = worktree(owner, tmp_path / "side", named=True)
    else:
        other = Workplace(tmp_path / "side")
        other.plan(done=1)
        shutil.rmtree(other.root / ".git")
    other.log(f"its own {SECRET}")
    other.start()
    wait_for_processes(other.root)
    before = snapshot(other.root)
    erased(place, capsys)
    assert snapshot(other.root) == before


def test_a_forged_entry_of_a_worktree_leads_nowhere(
    place: Workplace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    victim = Workplace(tmp_path / "victim")
    victim.plan(done=1)
    victim.log(f"its own {SECRET}")
    victim.start()
    entry = place.root / ".git/worktrees/x"
    entry.mkdir(parents=True)
    (entry / "gitdir").write_text(f"{victim.root}/.git\n")
    (entry / "commondir").write_text("../..\n")
    (entry / "HEAD").write_text("ref: refs/heads/main\n")
    document = json.loads((place.ours / "progress.json").read_text())
    document["entries"][0]["worktree"] = "x"
    (place.ours / "progress.json").write_text(json.dumps(document))
    before = snapshot(victim.root)
    erased(place, capsys)
    assert snapshot(victim.root) == before


def holding(place: Path, text: str = SECRET) -> list[str]:
    """Return the files below a folder that hold a text."""
    return [str(path) for path in place.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


CUT = {
    "in a string": '{"entries":[{"id":"a","data":{"description":"my p\\u00e4sswort-zq and',
    "in an escape": '{"entries":[{"id":"a","data":{"description":"my p\\u00e4sswort-zq \\u00',
    "at a backslash": '{"entries":[{"id":"a","data":{"description":"my p\\u00e4sswort-zq\\',
    "right behind it": '{"entries":[{"id":"a","data":{"description":"my \\n\\"p\\u00e4sswort-zq',
    "a quote lost": '{"entries":[{"id":"a","data":{"notes":"x, "y": "d\\u00e9j\\u00e0 p\\u00e4sswort-zq z"}}]}',
    "an escape that is none": '{"entries":[{"id":"a","data":{"notes":"\\q p\\u00e4sswort-zq z"}}]}',
    "a line end in it": '{"entries":[{"id":"a","data":{"notes":"x\ny p\\u00E4sswort-zq z"}}]}',
}
ERASED = "[erased]"


def test_a_text_is_found_in_the_strings_of_damaged_copies_and_nothing_else_is_touched(
    place: Workplace, capsys: pytest.CaptureFixture[str]
) -> None:
    copies = {place.ours / f"progress.json.corrupt-{at}": text for at, text in enumerate(CUT.values())}
    for copy, text in copies.items():
        copy.write_text(text, "utf-8")
    assert place.command("erase", "pässwort-zq") == 1
    said = capsys.readouterr().out
    assert all(f"{copy}: 1 place would be erased" in said for copy in copies)
    assert place.command("erase", "pässwort-zq", "--yes") == 0
    for copy, text in copies.items():
        left = text.replace("p\\u00e4sswort-zq", ERASED).replace("p\\u00E4sswort-zq", ERASED)
        assert copy.read_text("utf-8") == left


NESTED = 'level1 {"a": "Gar\\"ten7 zw\\u00f6lf"}'


def test_a_text_that_a_text_spells_as_json_itself_is_found_and_gone(
    place: Workplace, capsys: pytest.CaptureFixture[str]
) -> None:
    deeper = json.dumps({"stdout": json.dumps({"b": 'x Gar"ten7 zwölf y'})})
    place.log(NESTED, "--notes", deeper)
    assert place.command("erase", 'Gar"ten7 zwölf', "--yes") == 0
    log = (place.ours / "progress.json").read_text("utf-8")
    assert "ten7" not in log
    data = json.loads(log)["entries"][-1]["data"]
    assert data["description"] == f'level1 {{"a": "{ERASED}"}}'
    assert json.loads(json.loads(data["notes"])["stdout"]) == {"b": f"x {ERASED} y"}
    capsys.readouterr()
    assert place.command("erase", 'Gar"ten7 zwölf', "--yes") == 1
    assert "No copy of the log holds it" in capsys.readouterr().out


@pytest.mark.parametrize(("kept", "asked"), [("NFC", "NFD"), ("NFD", "NFC")])
def test_a_text_is_found_however_unicode_composes_it(place: Workplace, kept: str, asked: str) -> None:
    place.log(f"the {unicodedata.normalize(kept, 'Gärten-zwölf7')} opens it")
    assert place.command("erase", unicodedata.normalize(asked, "Gärten-zwölf7"), "--yes") == 0
    assert "rten-zw" not in (place.ours / "progress.json").read_text("utf-8")
