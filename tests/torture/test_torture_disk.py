"""Whatever fault the disk has: a clear message, nothing lost, no hook that fails or waits."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.torture.figures import SECONDS
from tests.torture.workplace import Workplace, once_each, parses

OURS = (
    "progress.json", "progress.md", "progress-summary.md", "lock", ".gitignore", "config.toml", "archive",
    "summaries", "templates", "muted.json", "archive/stories", "erased.json", "shared", "shared/host-b",
)  # fmt: skip
PRIVATE = (
    "start.json", "baseline.json", "file-notes.json", "sections.json", "redacted.json", "sessions", "spool",
    "shared", "unshared.json", "team", "team/claims.json", "team/erased", "team/memory", "team/state",
)  # fmt: skip
INPUTS = (
    "prd.json",
    "progress.md",
    "progress.txt",
    "task_plan.md",
    ".git/HEAD",
    ".beads/issues.jsonl",
    "claude-progress.txt",
)
KINDS = ("directory", "fifo", "endless", "rubbish")
TEMPLATE = ".agent-os/progress/templates/progress-summary.md.j2"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a file system of 6 MB, or skip where that is not permitted."""
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(place)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("NO MOUNTING HERE: a full disk is only tried as a bound on the size of files")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.mark.slow
def test_a_full_disk_costs_a_clear_line_and_no_entry(
    small_disk: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(small_disk / "home"))
    place = Workplace(small_disk / "lighthouse")
    place.plan(done=4)
    place.log("first")
    place.start()
    filler, refused, levels = small_disk / "filler", 0, 0
    # From a disk with hardly a page to room for everything: each step of a write fails at some of these.
    for free in range(0, 80_000, 4096):
        filler.write_bytes(b"")
        room = os.statvfs(small_disk)
        filler.write_bytes(b"x" * max(room.f_bavail * room.f_frsize - free, 0))
        before = [entry["id"] for entry in place.everything()]
        capfd.readouterr()
        code = place.log(f"with {free} bytes", "--notes", "y" * 9_000)
        told = capfd.readouterr().err
        levels += 1
        refused += code != 0
        assert code == 0 or "No space left" in told, told
        once_each(place.everything(), before)
        written = [
            entry for entry in place.everything() if entry["data"].get("description") == f"with {free} bytes"
        ]
        assert len(written) == (code == 0), (free, code, told)  # events that waited may be written meanwhile
        parses(place.ours)
        place.start()
        place.hooks.event("TaskCompleted", task_subject=f"full {free}", task_id="1")
        place.hooks.event("Stop")
        parses(place.ours)
    filler.unlink()
    assert place.log("room again") == 0
    assert 0 < refused < levels


def _replaced(path: Path, kind: str) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "directory":
        (path / "something").mkdir(parents=True)
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "endless":
        path.symlink_to("/proc/self/pagemap")
    else:
        path.write_bytes(b"\x00\xff not what was expected")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_something_else_in_the_place_of_any_file_stops_no_hook_and_loses_nothing(
    workplace: Workplace, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kind == "endless" and not os.path.exists("/proc/self/pagemap"):
        pytest.skip("NO /proc HERE: a file without an end is not tried")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "session-1")
    workplace.log("first")
    workplace.start()
    acknowledged = [entry["id"] for entry in workplace.everything()]
    places = [f".agent-os/progress/{name}" for name in OURS] + [*INPUTS, TEMPLATE]
    targets = {name: workplace.root / name for name in places}
    if kind in {"directory", "rubbish"}:  # only the user can put a pipe or a link into the private state
        targets |= {f"private {name}": workplace.private(name) for name in PRIVATE}
    if not SECONDS:  # a short run tries each place with one of the kinds
        targets = dict([*targets.items()][KINDS.index(kind) :: len(KINDS)])
    pristine = workplace.root.parent / "pristine"
    shutil.copytree(workplace.root, pristine / "project", symlinks=True)
    shutil.copytree(workplace.private(""), pristine / "private")
    written = 0
    for name, target in targets.items():
        _replaced(target, kind)
        workplace.start()
        workplace.hooks.edited("prd.json")
        workplace.hooks.event("SessionEnd", reason="exit")
        written += workplace.log("meanwhile") == 0
        workplace.command("verify")
        if name != ".agent-os/progress/progress.json":
            assert {entry["id"] for entry in workplace.everything()} >= set(acknowledged), name
        for original, copy in ((workplace.root, "project"), (workplace.private(""), "private")):
            original.rename(
                tmp_path / f"{copy} {len(list(tmp_path.iterdir()))}"
            )  # the background may still write
            shutil.copytree(pristine / copy, original, symlinks=True, dirs_exist_ok=True)
    assert written > len(targets) // 2  # nothing can be written if the log itself or its folder is replaced


AS_ANOTHER_USER = """
import contextlib, io, os, sys
from progress_plugin.cli.main import main
from progress_plugin.core.clients import CLIENTS, HookEvent
from progress_plugin.hooks import HookRun
from progress_plugin.hooks.events import handle
from tests.warm_process import import_everything

def journey(root):
    code = main(["-C", root, "log", "task_completed", "-m", "x"])
    fields = {"cwd": root, "source": "startup", "session_id": "s"}
    print(handle(HookEvent("SessionStart", CLIENTS["claude"], fields), HookRun("SessionStart", 60)).decode())
    return code

import_everything()  # the other user may not read our Python
with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())):
    journey(sys.argv[1])
os.setuid(65534)
sys.exit(journey(sys.argv[2]))
"""


def test_a_directory_that_may_only_be_read_is_one_line_and_every_hook_ends_well(workplace: Workplace) -> None:
    if os.geteuid() != 0:
        pytest.skip("NOT ROOT HERE: only root can become another user")
    workplace.log("first")
    workplace.start()
    for path in [workplace.root, *workplace.root.rglob("*"), *workplace.root.parents][:-1]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    before = {path: path.read_bytes() for path in workplace.ours.rglob("*") if path.is_file()}
    workplace.plan(done=6)
    twin = workplace.root.parent / "twin"
    shutil.copytree(workplace.root, twin)
    roots = workplace.root.parent / "home-of-root"
    done = subprocess.run(
        [sys.executable, "-c", AS_ANOTHER_USER, str(twin), str(workplace.root)], capture_output=True, cwd=REPOSITORY, timeout=60,
        env={**os.environ, "HOME": str(roots)},
    )  # fmt: skip
    assert done.returncode in (1, 2, 3), done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert b"Permission denied" in done.stderr
    assert b"6/14" in done.stdout
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize("home", ["", "/nonexistent/home", "/dev/null"])
def test_without_a_home_that_can_be_written_everything_but_the_copy_outside_works(
    workplace: Workplace, home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if home:
        monkeypatch.setenv("HOME", home)
    else:
        monkeypatch.delenv("HOME")
    if os.geteuid() == 0 and home.startswith("/nonexistent"):
        monkeypatch.setenv("HOME", str(workplace.root / "prd.json" / "home"))
    workplace.work()
    assert workplace.everything()
    assert "/14 complete" in workplace.context()  # 5, or 6 if plan and log changed in the same second


@pytest.mark.slow
def test_a_directory_removed_while_something_runs_costs_no_traceback(workplace: Workplace) -> None:
    workplace.log("first")
    stop = workplace.root.parent / "stop"
    child = os.fork()
    if child == 0:
        removed = 0
        while not stop.exists():
            removed += workplace.ours.exists()
            shutil.rmtree(workplace.ours, ignore_errors=True)
        os._exit(0 if removed else 1)
    codes = []
    try:
        for number in range(12):
            codes.append(workplace.log(f"work {number}"))
            workplace.start()
            workplace.hooks.event("Stop")
    finally:
        stop.write_text("")
        _, status = os.waitpid(child, 0)
    assert status == 0, "the directory was never there to be removed"
    assert workplace.log("in the end") == 0
    assert set(codes) <= {0, 1, 2, 3}


@pytest.mark.slow
@pytest.mark.parametrize("name", [".agent-os/progress/progress.json", "progress.md", "prd.json"])
def test_a_file_of_many_megabytes_is_a_clear_line(workplace: Workplace, name: str) -> None:
    path = workplace.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    line = {
        ".agent-os/progress/progress.json": '{"id": "e-%d", "timestamp": "2026-03-01T10:00:00Z", "type": "task_completed", "data": {"description": "lit the lamp"}}',
        "progress.md": "## 2026-03-01 - US-%d: Light the lamp\n- lit\n- Gotcha: mind the tide\n---\n",
        "prd.json": '{"id": "US-%d", "title": "Light the lamp", "passes": true, "notes": "lit"}',
    }[name]
    # Our own log is read whatever its size, a plan or log of another up to 64 MiB.
    number = (20_000_000 if "progress.json" in name else 100_000_000) // len(line)
    with path.open("w") as file:
        opening, between, closing = (
            ('{"entries": [', ",\n", "]}") if "progress.json" in name else ('{"userStories": [', ",\n", "]}")
        )
        if name == "progress.md":
            opening, between, closing = "# Progress Log\n", "\n", ""
        file.write(opening)
        file.write(between.join(line % n for n in range(number)))
        file.write(closing)
    size = path.stat().st_size
    for event in ("start", "edited", "start"):
        answer = workplace.hooks.start() if event == "start" else workplace.hooks.edited(name)
        if event == "start":
            assert answer.user_line or "MiB" in answer.context
    assert path.stat().st_size == size
