"""All entry points at once, in two worktrees, while some of the processes are killed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from progress_plugin.core.errors import Busy
from progress_plugin.core.project import Project, find_project
from progress_plugin.log import store
from progress_plugin.log.store import LOCK_FILE
from progress_plugin.usecases.recording.record import log_entry, record_all_changes
from progress_plugin.usecases.summaries import summarize
from progress_plugin.usecases.upkeep import archive_old, find_faults, repair_log
from tests.hooks.simulated_client import Hooks
from tests.torture.client import told
from tests.torture.figures import SECONDS, Value, rounds
from tests.torture.workplace import Workplace, once_each, parses

APPENDERS = 64 if SECONDS else 8
VICTIMS = 4


def _apart(work: Callable[[], object], go: tuple[int, int], faults: Path) -> int:
    """Begin a process that waits until the pipe `go` is closed, works, and writes down what went wrong."""
    child = os.fork()
    if child:
        return child
    try:
        os.close(go[1])
        os.read(go[0], 1)
        work()
    except BaseException as error:  # noqa: BLE001 - told to the parent, whatever it is
        (faults / str(os.getpid())).write_text(f"{type(error).__name__}: {error}")
    finally:
        os._exit(0)


def _append(project: Project, name: str, acknowledged: Path, times: int) -> None:
    for turn in range(times):
        task = f"T-{name}-{turn}"
        logged = _until_free(
            lambda task=task: log_entry(
                project, "task_completed", now=datetime.now(UTC), description=f"did {task}", task_id=task
            )
        )
        with (acknowledged / name).open("a") as file:
            file.write(logged.entries[0]["id"] + "\n")


def _until_free(work: Callable[[], Value]) -> Value:
    """Work; try again if the log was locked for too long, as can happen to many processes on a slow machine."""
    while True:
        try:
            return work()
        except Busy:
            continue


def _said(acknowledged: Path) -> list[str]:
    return [line for path in acknowledged.iterdir() for line in path.read_text().split("\n")[:-1]]


def _until(stop: Path, done: Path, work: Callable[[], int]) -> None:
    """Work until the file `stop` is there and something came of it, and write down how much."""
    much = 0
    while not (much and stop.exists()):
        much += _until_free(work)
    with done.open("a") as file:
        file.write(f"{much}\n")


def _read(project: Project, acknowledged: Path) -> int:
    """Check that all entries acknowledged before are read, once each; return their number."""
    known = _said(acknowledged)
    seen = [entry["id"] for entry in store.load_history(project.log_directory).newest(100_000)]
    assert len(seen) == len(set(seen))
    assert not set(known) - set(seen)
    return len(known)


def _archive(project: Project, _: Path) -> int:
    archive_old(project, datetime.now(UTC), days=0, at_least=8)
    return 1


def _repair(project: Project, _: Path) -> int:
    repair_log(project, datetime.now(UTC))
    return 1


def _summarize(project: Project, _: Path) -> int:
    record_all_changes(project, now=datetime.now(UTC), session=None)
    return len(summarize(project))


def _delete_the_lock(project: Project, _: Path) -> int:
    """Delete the lock every hundredth of a second, as a person who tidies up."""
    time.sleep(0.01)
    Path(project.log_directory, LOCK_FILE).unlink(missing_ok=True)
    return 1


JOBS: dict[str, Callable[[Project, Path], int]] = {
    "archive": _archive,
    "repair": _repair,
    "summarize": _summarize,
    "read": _read,
    "delete the lock": _delete_the_lock,
    "start": lambda project, _: len(told(Hooks(Path(project.root)).start().raw)),
}


@pytest.fixture
def projects(workplace: Workplace, tmp_path: Path) -> tuple[Project, Project]:
    """Return the project of the workplace, and the same seen from a linked worktree."""
    workplace.commit()
    workplace.git("worktree", "add", "-q", str(tmp_path / "side"), "-b", "side")
    return find_project(str(workplace.root)), find_project(str(tmp_path / "side"))


@pytest.mark.slow
def test_every_acknowledged_entry_is_there_once_whatever_runs_beside_it(
    workplace: Workplace, projects: tuple[Project, Project], tmp_path: Path
) -> None:
    acknowledged, faults = tmp_path / "acknowledged", tmp_path / "faults"
    acknowledged.mkdir()
    faults.mkdir()
    for number in rounds(1):
        told_before = len(_said(acknowledged))
        _round(projects, acknowledged, faults, number)
        assert len(_said(acknowledged)) >= told_before + 2 * APPENDERS
        assert [path.read_text() for path in faults.iterdir()] == []
        once_each(workplace.everything(), _said(acknowledged))
        parses(workplace.ours)
        found = [fault.what for fault in find_faults(projects[0], datetime.now(UTC))]
        assert found == []
    done = {name: sum(map(int, (tmp_path / f"done-{name}").read_text().split())) for name in JOBS}
    assert min(done.values()) > 0, done
    assert any((workplace.ours / "archive").glob("2*.json"))


def _round(projects: tuple[Project, Project], acknowledged: Path, faults: Path, number: int) -> None:
    go, stop = os.pipe(), faults.parent / f"stop-{number}"

    def apart(work: Callable[[], object]) -> int:
        return _apart(work, go, faults)

    def appender(name: str, times: int) -> int:
        project = projects[len(name) % 2]
        return apart(lambda: _append(project, name, acknowledged, times))

    victims = [appender(f"{number}-victim{'-' * n}", 1000) for n in range(VICTIMS)]
    appenders = [appender(f"{number}-{n}", 2) for n in range(APPENDERS)]
    others = [
        apart(
            lambda name=name, job=job, project=project: _until(
                stop, faults.parent / f"done-{name}", lambda: job(project, acknowledged)
            )
        )
        for name, job in JOBS.items()
        for project in projects
    ]
    os.close(go[0])
    os.close(go[1])
    for count, process in enumerate(appenders):
        if victims and count % (APPENDERS // VICTIMS) == 0:
            os.kill(victims[-1], signal.SIGKILL)
            _, status = os.waitpid(victims.pop(), 0)
            assert os.WIFSIGNALED(status), "it had ended by itself: nothing was killed"
        assert os.waitpid(process, 0)[1] == 0
    assert not victims
    stop.write_text("")
    for process in others:
        assert os.waitpid(process, 0)[1] == 0
