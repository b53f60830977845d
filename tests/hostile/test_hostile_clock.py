"""What holds a hook up from outside: it ends in time, with exit code 0, and with the best it can show."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.core.fast.hook_process import ObjectEnd
from progress_plugin.core.paths import database_path
from tests.conftest import REPOSITORY
from tests.hooks.real_doors import SITE, Hooks, Repository
from tests.launcher.tiny_plugin import make_plugin, path_of

PATIENT = 60
"""Seconds after which a test says that something hangs; nothing is judged by less."""


@pytest.fixture
def place(tmp_path: Path) -> Repository:
    """Return a repository with a plan and an agent's log."""
    repository = Repository(tmp_path / "lighthouse")
    repository.plan(done=4)
    log = "# Progress\n\n## 2026-03-01 - US-001: Light the lamp\n- lit it\n"
    (repository.root / "progress.md").write_text(log, "utf-8")
    return repository


def variables(root: Path, **more: str) -> dict[str, str]:
    return {
        **os.environ,
        "CLAUDECODE": "1",
        "AGENT_PROGRESS_SITE": SITE,
        "CLAUDE_PROJECT_DIR": str(root),
        **more,
    }


def command(door: str, event: str) -> list[str]:
    return [sys.executable, "-I", "-S", str(REPOSITORY / "hooks" / door), event]


@contextmanager
def with_open_input(root: Path, door: str, event: str, said: bytes) -> Iterator[subprocess.Popen[bytes]]:
    """Start a hook, say something, and never close its standard input."""
    process = subprocess.Popen(
        command(door, event),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=variables(root),
    )
    assert process.stdin is not None
    process.stdin.write(said)
    process.stdin.flush()
    try:
        process.wait(PATIENT)
        yield process
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            assert stream is not None
            stream.close()


DOORS = [
    ("start.py", "SessionStart"), ("record.py", "Stop"), ("record.py", "SessionEnd"), ("record.py", "PostToolUse"),
    ("statusline.py", "statusline"),
]  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("door", "event"), DOORS)
@pytest.mark.parametrize(
    "said", [b"", b'{"session_id": "s', b'{"session_id": "s-1", "source": "startup"}\n', b'{"a": "}\\"}"']
)
def test_a_hook_whose_input_is_never_closed_ends_all_the_same(
    place: Repository, door: str, event: str, said: bytes
) -> None:
    with with_open_input(place.root, door, event, said) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert (process.returncode, process.stderr.read()) == (0, b"")
        assert (b"lit it" in process.stdout.read()) == (door == "start.py")


def test_an_input_is_read_to_the_end_of_its_object_however_it_is_cut(place: Repository) -> None:
    told = {
        "cwd": str(place.root),
        "session_id": "s-1",
        "text": 'a "quoted\\" } part',
        "source": "startup",
        "n": {"x": {}},
    }
    said = json.dumps(told).encode()
    for cut in range(1, len(said), 7):
        read, write = os.pipe()
        reader = subprocess.Popen(
            [sys.executable, "-c", "from progress_plugin.core.fast.hook_process import read_input as r; print(r().decode(), end='')"],
            stdin=read, stdout=subprocess.PIPE, cwd=REPOSITORY,
        )  # fmt: skip
        os.close(read)
        os.write(write, said[:cut])
        os.write(write, said[cut:])
        out, _ = reader.communicate(timeout=PATIENT)
        os.close(write)
        assert out == said


@given(text=st.text(alphabet='{}\\"a ', max_size=40), cuts=st.lists(st.integers(1, 60), max_size=6))
def test_the_end_of_an_object_is_found_wherever_it_is_cut(text: str, cuts: list[int]) -> None:
    said = json.dumps({"cwd": text, text: [{}, {"n": text}]}).encode()
    places = sorted({cut % len(said) for cut in cuts} | {0, len(said)})
    end = ObjectEnd()
    found = [end.reached(said[one:next_]) for one, next_ in itertools.pairwise(places)]
    assert found == [False] * (len(found) - 1) + [True]


def test_no_byte_of_an_input_is_looked_at_twice() -> None:
    end = ObjectEnd()
    for piece in [b'{"a": [', *[b'"}\\\\",' * 40] * 1000]:
        assert not end.reached(piece)
        assert len(end.carried) <= 1


@pytest.fixture
def database(home: Path) -> Path:
    """Return a memory database with one document."""
    subprocess.run(
        [sys.executable, "-m", "progress_plugin", "memory", "progress", "lighthouse", "--content", '{"goal": "see"}'],
        check=True, cwd=REPOSITORY, capture_output=True,
    )  # fmt: skip
    path = database_path()
    assert path is not None
    assert Path(path).is_file()
    return Path(path)


def test_a_start_does_not_wait_for_a_database_that_another_process_holds(
    place: Repository, database: Path
) -> None:
    with closing(sqlite3.connect(database, isolation_level=None)) as holder:
        holder.execute("PRAGMA journal_mode = DELETE")
        holder.execute("BEGIN EXCLUSIVE")
        holder.execute("UPDATE observations SET content = 'half written'")
        (place.root / ".agent-os/progress").mkdir(parents=True)
        answer = Hooks(place.root).start()
    assert "lit it" in answer.context
    assert "held by another process" in answer.context


@pytest.mark.parametrize("ending", ["", "-wal", "-shm", "-journal"])
def test_a_named_pipe_in_the_place_of_the_database_costs_its_document_and_nothing_else(
    place: Repository, database: Path, ending: str
) -> None:
    file = Path(f"{database}{ending}")
    file.unlink(missing_ok=True)
    os.mkfifo(file)
    (place.root / ".agent-os/progress").mkdir(parents=True)
    answer = Hooks(place.root).start()
    assert "lit it" in answer.context
    assert "is not a file" in answer.context


READ_AT_A_START = (
    ".agent-os/progress/progress.json", ".agent-os/progress/progress.md", ".agent-os/progress/lock",
    ".agent-os/progress/start.cache", ".agent-os/progress/baseline.json", ".agent-os/progress/config.toml",
    ".agent-os/progress/.gitignore", ".agent-os/progress/progress-summary.md", ".agent-os/progress/archive",
    ".agent-os/progress/archive/index.json", ".agent-os/progress/archive/2026-01.json", ".agent-os/progress/recovery",
    ".agent-os/progress/sessions", ".agent-os/progress/sessions/session-1", ".agent-os/progress/sessions/session-1.open",
    ".agent-os/progress/regenerations.log", ".agent-os/progress/summaries", ".agent-os/progress/muted.json",
    ".agent-os/progress/templates/progress-summary.md.j2", "prd.json", "progress.md", "progress.txt", "tasks/tasks.json",
    "feature_list.json", "task_plan.md", ".beads/issues.jsonl", ".taskmaster/state.json", "AGENTS.md", ".git/HEAD",
    ".git/logs/HEAD", ".git/packed-refs", ".git", ".agent-os/progress", ".agent-os",
    *(
        f".agent-os/progress/{name}"
        for name in (
            "archive/stories", "erased.json", "files.index", "reading", "sessions.jsonl", "shared", "shared.state",
            "shared/host-b", "shared/host-b/2026-03", "shown.counts", "spool", "summary-wanted", "team", "team/begun",
            "team/claims.json", "team/erased", "team/fault", "team/memory", "team/state", "told.log", "unshared.json",
        )
    ),
)  # fmt: skip


def replace(path: Path, make: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    make(path)


QUICK = ("prd.json", "progress.md", "config.toml", "progress.json", "lock", "start.cache", "baseline.json")


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    "make",
    [pytest.param(os.mkfifo, id="pipe"), pytest.param(os.mkdir, id="directory", marks=pytest.mark.slow)],
)
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name.endswith(QUICK) else pytest.mark.slow) for name in READ_AT_A_START],
)
def test_something_else_in_the_place_of_any_file_holds_no_hook_up(
    place: Repository, name: str, make: Any, home: Path
) -> None:
    hooks = Hooks(place.root)
    hooks.start()
    place.plan(done=5)
    hooks.edited("prd.json")
    replace(place.root / name, make)
    hooks.start()
    hooks.edited("prd.json")
    hooks.event("TaskCompleted", task_subject="coil the ropes", task_id="7")
    hooks.event("SessionEnd", reason="exit")
    hooks.start("resume")
    noted = home / ".cache/agent-progress/swallowed.log"
    for word in (
        "Late",
        "IsADirectoryError",
        "FileExistsError",
        "NotADirectoryError",
        "ValueError",
        "OSError",
    ):
        assert word not in (noted.read_text() if noted.exists() else "")


USERS = (
    ".config/agent-progress/config.toml", ".cache/agent-progress", ".cache/agent-progress/swallowed.log",
    ".cache/agent-progress/answers", ".cache/agent-progress/baselines", ".cache/agent-progress/pycache",
    ".cache", ".local", ".local/share/agent-progress", ".local/share/agent-progress/python",
    ".local/share/agent-progress/env", ".local/share/agent-progress/no-python", ".config", "",
)  # fmt: skip


@pytest.mark.parametrize("name", USERS)
def test_a_named_pipe_in_the_users_directories_holds_nothing_up(
    place: Repository, tmp_path: Path, name: str
) -> None:
    home = tmp_path / "another-home"
    replace(home / name if name else home, os.mkfifo)
    for words in (["hook", "SessionStart"], ["hook", "Stop"], ["statusline"]):
        done = subprocess.run(
            ["sh", str(REPOSITORY / "bin/agent-progress"), *words], timeout=PATIENT, capture_output=True,
            input=json.dumps({"cwd": str(place.root), "session_id": "s", "source": "startup"}).encode(),
            env={
                "HOME": str(home), "PATH": f"{Path(sys.executable).resolve().parent}:{os.environ['PATH']}",
                "AGENT_PROGRESS_NO_INSTALL": "1", "CLAUDECODE": "1",
            },
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, b"")


def test_without_a_home_a_start_shows_what_there_is(place: Repository) -> None:
    answer = Hooks(place.root)
    answer.environment = {"HOME": ""}
    assert "lit it" in answer.start().context


SHELLS = [
    (found, *rest)
    for name, *rest in (("dash",), ("bash",), ("busybox", "sh"))
    if (found := shutil.which(name))
]


def hanging(folder: Path) -> Path:
    """Make a `python3` that never answers, and whose child would hold a pipe open."""
    folder.mkdir(parents=True)
    (folder / "python3").write_text("#!/bin/sh\nsleep 1000\n", "utf-8")
    (folder / "python3").chmod(0o755)
    return folder


def working(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "python3").symlink_to(Path(sys.executable).resolve())
    return folder


@pytest.mark.parametrize("shell", SHELLS, ids=lambda shell: Path(shell[0]).name)
def test_a_python_that_does_not_answer_is_passed_over(tmp_path: Path, shell: tuple[str, ...]) -> None:
    plugin = make_plugin(tmp_path / "plugin", tmp_path / "home", "")
    plugin.shell = shell
    path = path_of(hanging(tmp_path / "a"), working(tmp_path / "b")) + ":/usr/bin:/bin"
    seen = plugin.door("hook", "SessionStart", PATH=path)
    assert seen["door"] == "start.py"
    assert (plugin.data / "python").read_text().strip() == str(Path(sys.executable).resolve())


def test_a_start_waits_for_two_such_pythons_and_says_so_while_a_command_tries_them_all(
    tmp_path: Path,
) -> None:
    plugin = make_plugin(tmp_path / "plugin", tmp_path / "home", "")
    path = path_of(*(hanging(tmp_path / name) for name in "abc"), working(tmp_path / "d")) + ":/bin/none"
    (tmp_path / "commands/sleep").symlink_to(str(shutil.which("sleep")))
    done = plugin.start("hook", "SessionStart", PATH=path)
    assert done.returncode == 0
    assert "a Python on PATH does not answer" in json.loads(done.stdout)["systemMessage"]
    assert plugin.door("status", PATH=path)["door"] == "__main__.py"
    assert plugin.door("hook", "SessionStart", PATH=path)["door"] == "start.py"


def test_what_does_not_hear_the_end_of_its_time_is_ended_with_exit_code_0(tmp_path: Path, home: Path) -> None:
    code = (
        "import sqlite3\nfrom progress_plugin.core.fast import hook_process\n"
        "def work():\n"
        "    hook_process.end_after(0.2, 'Stop')\n"
        "    sqlite3.connect(sys.argv[1], timeout=1000).execute('BEGIN EXCLUSIVE')\n"
        "hook_process.run('Stop', work)\n"
    )
    with closing(sqlite3.connect(tmp_path / "held.db", isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        done = subprocess.run(
            [sys.executable, "-c", "import sys\n" + code, str(tmp_path / "held.db")],
            timeout=PATIENT,
            cwd=REPOSITORY,
        )
    assert done.returncode == 0
    assert "Stop ? Late: ended after 0.2 s" in (home / ".cache/agent-progress/swallowed.log").read_text()


def test_a_process_whose_way_out_hangs_is_ended_all_the_same() -> None:
    code = (
        "import os, time\nfrom progress_plugin.core.fast import hook_process\n"
        "def hangs(code):\n    time.sleep(600)\n"
        "def work():\n"
        "    os._exit = hangs\n"
        "    hook_process.end_after(0.1, 'Stop')\n"
        "    time.sleep(600)\n"
        "hook_process.run('Stop', work)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], timeout=PATIENT, cwd=REPOSITORY)
    assert done.returncode == 0


def test_where_the_clock_has_answered_nothing_else_is_printed(home: Path) -> None:
    code = (
        "import time\nfrom progress_plugin.core.fast import hook_process\n"
        "def work():\n"
        "    hook_process.otherwise_say(b'{}')\n"
        "    hook_process.end_after(0.2, 'SessionStart')\n"
        "    while hook_process._fallback:\n"
        "        time.sleep(0.001)\n"
        "    hook_process.say(b'{late}')\n"
        "    time.sleep(60)\n"
        "hook_process.run('SessionStart', work)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=PATIENT, cwd=REPOSITORY)
    assert (done.returncode, done.stdout) == (0, b"{}")


def test_what_the_launcher_waited_is_taken_off_the_time_of_a_start() -> None:
    code = "from progress_plugin.core.fast.hook_process import left, IN_ALL; print(IN_ALL - left() >= 2)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "AGENT_PROGRESS_WAITED": "2"},
        capture_output=True,
        cwd=REPOSITORY,
    )
    assert done.stdout == b"True\n"
