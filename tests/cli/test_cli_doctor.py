"""`doctor`: the real hooks are tried, every fault has a remedy, nothing of the user's is changed."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.cli.doctor import finding_lines as lines
from progress_plugin.core.fast.install_attempts import Attempts
from progress_plugin.core.packages import environment
from progress_plugin.core.packages.environment import PLUGIN_ROOT
from progress_plugin.core.project import find_project
from progress_plugin.memory.database import writing
from progress_plugin.memory.schema import APPLICATION_ID
from progress_plugin.usecases.doctor import process, recording, starts
from progress_plugin.usecases.doctor.examination import examine
from progress_plugin.usecases.doctor.file_notes import look_at_file_notes
from progress_plugin.usecases.doctor.finding import Finding, FindingState
from progress_plugin.usecases.doctor.hook_settings import look_at_registration
from progress_plugin.usecases.doctor.installation import look_at_installation
from progress_plugin.usecases.doctor.process import Ran
from progress_plugin.usecases.doctor.project_files import look_at_project
from progress_plugin.usecases.doctor.recording import look_at_client
from progress_plugin.usecases.summarizing.sources import Inputs, read_sources
from tests.compiled import lend_to

NOW = datetime(2026, 4, 2, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _used_before(home: Path) -> None:
    lend_to(home)


def state_of(*places: Path) -> dict[str, tuple[int, bytes]]:
    """Return every file with its time and content, but compiled code."""
    return {
        str(path): (path.stat().st_mtime_ns, path.read_bytes())
        for place in places
        for path in place.rglob("*")
        if path.is_file() and "pycache" not in str(path)
    }


def wrongs(findings: Any) -> list[str]:
    """Return what is wrong, as `area: what`."""
    return [f"{each.area}: {each.what}" for each in findings if each.state is FindingState.WRONG]


def notes(findings: Any) -> list[str]:
    return [f"{each.area}: {each.what}" for each in findings if each.state is FindingState.NOTE]


def here(project: Path) -> list[Finding]:
    """Look at a project's files alone."""
    found = find_project(str(project))
    return list(look_at_project(read_sources(found, Inputs(found.root), os.environ), NOW))


def test_a_good_project_is_exit_0_and_nothing_of_it_changes(
    project: Path, run: Any, answer: Any, home: Path
) -> None:
    run("log", "milestone_reached", "-m", "x")
    (project / "progress.md").write_text((project / "progress.md").read_text() + "\n- more\n")
    before = state_of(project, home)
    told = answer("doctor")
    assert told["ok"] is True
    areas = {each["area"] for each in told["findings"]}
    assert areas >= {"rehearsal", "plugin", "python", "packages", "errors", "memory", "hooks", "recording", "session start",
                     "sources", "log", "summary", ".gitignore", "lock"}  # fmt: skip
    assert "Laid the first stone" in told["context"]
    after = state_of(project, home)
    assert {path for path in after if after[path] != before.get(path)} - {
        path for path in after if "/.cache/agent-progress/" in path
    } == set()


def test_doctor_swallows_no_signal_of_a_plan_alone(project: Path, run: Any, home: Path) -> None:
    shutil.rmtree(home / ".cache", ignore_errors=True)
    assert run("doctor")[0] == 0
    assert not (project / ".agent-os").exists()
    assert not (home / ".cache/agent-progress/baselines").exists()


def test_the_context_is_printed_exactly(project: Path, run: Any) -> None:
    shown = run("doctor", "--context")[1]
    assert shown == run("context")[1]


def test_what_is_wrong_comes_first_with_its_remedy_and_exit_1(project: Path, run: Any) -> None:
    run("init")
    (project / ".agent-os/progress/progress.json").write_text("{broken")
    code, out, err = run("doctor")
    assert (code, err) == (1, "")
    states = [line.split()[0] for line in out.splitlines() if re.match(r"(ok|note|wrong) ", line)]
    assert states == sorted(states, key=["wrong", "note", "ok"].index)
    assert "wrong  log: progress.json does not parse: " in out
    assert "→ run `agent-progress repair`" in out
    assert re.match(r"\d things? needs? mending; → says how\.\n", out)


def test_a_good_project_fills_one_screen_of_eighty_columns(project: Path, run: Any) -> None:
    run("init")
    found = examine(find_project(None), datetime.now(UTC))
    told = lines(found.findings, verbose=False)
    assert (found.is_good, told[0]) == (True, "Everything works."), told
    assert len(told) <= 24
    assert [line for line in told if len(line) > 80 and " " in line[7:].strip()] == []
    assert "…" in "".join(told)


def test_into_a_pipe_nothing_is_cut(project: Path, run: Any) -> None:
    run("init")
    whole = run("doctor")[1]
    assert "…" not in whole
    assert f"root {project}, read: prd.json, progress.md" in whole


def test_verbose_cuts_nothing(project: Path, run: Any) -> None:
    run("init")
    whole = run("doctor", "--verbose")[1]
    assert "…" not in whole
    assert f"root {project}, read: prd.json, progress.md" in " ".join(whole.split())


def test_with_many_faults_what_works_is_one_list() -> None:
    faults = [Finding(f"part {n}", FindingState.WRONG, "it is broken", "mend it") for n in range(12)]
    good = [Finding(f"area {n}", FindingState.OK, "fine") for n in range(12)]
    told = lines([*good, *faults], verbose=False)
    assert told[0] == "12 things need mending; → says how."
    assert told[-2:] == [
        "ok     area 0, area 1, area 2, area 3, area 4, area 5, area 6, area 7, area 8,",
        "       area 9, area 10, area 11; --verbose tells more",
    ]


def test_outside_a_project_the_installation_is_looked_at(
    tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    monkeypatch.chdir(home)
    code, out, _ = run("doctor")
    assert code == 0
    assert "note   project: here is none" in out


def test_a_finished_story_is_recorded_in_the_rehearsal() -> None:
    found = recording.rehearse()
    assert (found.state, found.what.rpartition(": ")[2]) == (
        FindingState.OK, "a story finished in a plan is recorded, once",
    )  # fmt: skip


def test_hooks_that_fail_in_the_rehearsal_are_wrong(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "plugin"
    write(broken / "progress_plugin/__main__.py", "raise SystemExit('the door is stuck')\n")
    monkeypatch.setattr(environment, "PLUGIN_ROOT", str(broken))
    assert "PostToolUse failed: the door is stuck" in recording.rehearse().what


def ran(output: bytes, code: int = 0, errors: str = "", seconds: float = 0.1) -> Ran:
    return Ran(code, output, errors, seconds)


def start(context: str) -> bytes:
    inner = {"hookEventName": "SessionStart", "additionalContext": context}
    return json.dumps({"hookSpecificOutput": inner}, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("each", "said"),
    [
        (ran(b"", 1, "Traceback\nboom"), "the hook failed: boom"),
        (ran(b"", 3), "the hook failed: exit code 3"),
        (ran(start("x"), seconds=5.5), "took 5.5 s"),
        (ran(b"a word " + start("x")), "no JSON in UTF-8"),
        (ran(b'"\xff"'), "no JSON in UTF-8"),
        (ran(b'{"additionalContext": "x"}'), "members that the client refuses"),
        (ran(start("x").replace(b"SessionStart", b"Stop")), "names another event"),
        (ran(b'{"hookSpecificOutput": {"hookEventName": "SessionStart"}}'), "no text"),
        (ran(start("\U0001f6a2" * 4600)), "more than 9,000"),
    ],
)
def test_every_fault_of_an_output_is_told(each: Ran, said: str) -> None:
    (finding,) = starts._faults("startup", each)
    assert finding.state is FindingState.WRONG
    assert finding.remedy
    assert said in finding.what


def test_a_start_in_a_project_that_is_switched_off_is_a_note(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_PROGRESS_DISABLED", "1")
    found, context = starts.look_at_starts(find_project(str(project)))
    assert (notes(found), context) == (["session start: switched off by AGENT_PROGRESS_DISABLED"], "")


def test_an_error_that_a_start_survives_is_wrong(
    project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    door = (
        f"import sys\nsys.path.insert(0, {PLUGIN_ROOT!r})\n"
        "from progress_plugin.core.error_log import note\nnote('SessionStart', ValueError('the lamp went out'))\n"
    )
    write(tmp_path / "plugin/progress_plugin/__main__.py", door)
    monkeypatch.setattr(environment, "PLUGIN_ROOT", str(tmp_path / "plugin"))
    found, _ = starts.look_at_starts(find_project(str(project)))
    assert len(wrongs(found)) == len(starts.START_SOURCES)
    assert all("the lamp went out" in each for each in wrongs(found))


def write(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))


def entry(event: str, **more: Any) -> dict[str, Any]:
    command = {
        "type": "command",
        "command": f"sh /opt/agent-progress/bin/agent-progress hook {event}",
        **more,
    }
    return {"hooks": {event: [{"hooks": [command]}]}}


ENABLED = {"enabledPlugins": {"progress@agent-progress": True, "other@x": True}}


@pytest.mark.parametrize(
    ("user", "own", "said"),
    [
        ({}, {}, []),
        (ENABLED, {}, []),
        ({"enabledPlugins": {"progress@a": False}}, entry("SessionStart"), []),
        (ENABLED, entry("SessionStart"), ["settings.json both start them"]),
        (entry("SessionStart"), entry("SessionStart"), ["started more than once for SessionStart"]),
        (entry("SessionStart"), entry("Stop"), []),
        ({"enabledPlugins": {"progress@a": True, "progress@b": True}}, {}, ["enabled 2 times"]),
        ({"disableAllHooks": True}, {}, ["switches all hooks off"]),
        ("{", {}, ["cannot be read"]),
        ({"hooks": {"Stop": "odd", "X": [1, {"hooks": ["odd"]}]}}, {}, []),
    ],
)  # fmt: skip
def test_double_registration_is_found(
    project: Path, home: Path, user: Any, own: Any, said: list[str]
) -> None:
    write(home / ".claude/settings.json", user)
    write(project / ".claude/settings.json", own)
    found = wrongs(look_at_registration(str(project)))
    assert len(found) == len(said)
    assert all(words in what for words, what in zip(said, found, strict=True))


def test_two_conditions_for_one_event_are_no_double_registration(project: Path, home: Path) -> None:
    hooks = json.loads((Path(PLUGIN_ROOT) / "hooks/hooks.json").read_text())["hooks"]
    text = json.dumps({"hooks": hooks}).replace(
        "${CLAUDE_PLUGIN_ROOT}${extensionPath}", "/opt/agent-progress"
    )
    write(home / ".claude/settings.json", text)
    assert wrongs(look_at_registration(None)) == []


def test_a_build_that_failed_is_wrong_with_its_reason(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = environment.writable_home()
    assert place
    Attempts(place).failed(NOW.timestamp() - 60, "no route to the index")
    (found,) = [each for each in look_at_installation(NOW) if each.state is FindingState.WRONG]
    assert (
        found.what
        == "1 failed build, the last 2026-04-02 11:59 UTC; not tried again before 2026-04-02 12:59 UTC: no route to the index"
    )
    assert "setup" in found.remedy


@pytest.mark.parametrize(
    ("stamp", "state"), [("2026-04-02T11:00:00Z", "wrong"), ("2026-03-01T00:00:00Z", "note")]
)
def test_errors_that_hooks_swallowed_are_told_the_newest_as_wrong(home: Path, stamp: str, state: str) -> None:
    write(home / ".cache/agent-progress/swallowed.log", f"x\n{stamp} Stop a.py:1 OSError: no room\n")
    (found,) = [each for each in look_at_installation(NOW) if each.area == "errors"]
    assert (found.state.value, "OSError: no room" in found.what) == (state, True)


def test_a_database_that_is_none_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "memory.db").write_bytes(b"not a database, but long enough to be looked at" * 30)
    monkeypatch.setenv("AGENT_PROGRESS_DB", str(tmp_path / "memory.db"))
    assert [each for each in wrongs(look_at_installation(NOW)) if each.startswith("memory: ")]


@pytest.mark.parametrize(
    ("own", "remedy"), [(True, "the next `agent-progress memory save`"), (False, "start Hoofy")]
)
def test_a_memory_without_its_index_of_words_is_told_with_what_brings_it_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: bool, remedy: str
) -> None:
    path = tmp_path / "memory.db"
    monkeypatch.setenv("AGENT_PROGRESS_DB", str(path))
    with writing(str(path)):
        pass
    assert not [each for each in wrongs(look_at_installation(NOW)) if each.startswith("memory: ")]
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE observations_fts")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID if own else 0}")
    [told] = [each for each in wrongs(look_at_installation(NOW)) if each.startswith("memory: ")]
    assert f"{path} has lost its index of words (observations_fts)" in told
    [finding] = [each for each in look_at_installation(NOW) if each.area == "memory"]
    assert finding.remedy.startswith(remedy)


def test_a_missing_ignore_file_is_wrong(project: Path, run: Any) -> None:
    run("init")
    (project / ".agent-os/progress/.gitignore").unlink()
    assert [each.partition(":")[0] for each in wrongs(here(project))] == [".gitignore"]


def test_files_of_ours_that_git_tracks_are_wrong(project: Path, run: Any) -> None:
    run("log", "milestone_reached", "-m", "x")
    run("config", "set", "max_learnings", "3")
    for command in (["init", "-q"], ["add", "-f", ".agent-os"]):
        subprocess.run(["git", *command], cwd=project, check=True, capture_output=True)
    (found,) = wrongs(here(project))
    assert "git tracks" in found
    assert "config.toml" not in found
    run("config", "set", "share", "true")
    run("status", "summarize")
    (found,) = wrongs(here(project))
    assert "progress.json" not in found


def test_settings_and_inputs_that_cannot_be_read_are_wrong(project: Path, run: Any) -> None:
    run("init")
    write(project / ".agent-os/progress/config.toml", "max_learnings = -1\n")
    write(project / "feature_list.json", "{")
    found = wrongs(here(project))
    assert [each.partition(":")[0] for each in found] == ["settings", "sources"]


def signals(project: Path) -> list[str]:
    found = find_project(str(project))
    return notes(recording.look_at_signals(read_sources(found, Inputs(found.root), os.environ)))


def test_signals_that_cannot_fire_here_are_told(project: Path, run: Any) -> None:
    assert signals(project) == []
    (project / "docs").mkdir()
    shutil.move(project / "prd.json", project / "docs/work.json")
    run("config", "set", "plan", "docs/work.json")
    (late,) = signals(project)
    assert late == "recording: docs/work.json: compared at the end of a turn, not at each edit"
    (project / "docs/work.json").unlink()
    assert "without a plan only TaskCompleted" in signals(project)[0]


def test_nothing_is_recorded_where_nothing_is(tmp_path: Path) -> None:
    assert signals(tmp_path)[0].startswith("recording: nothing is recorded by itself")


def test_with_an_environment_the_launcher_is_what_is_started(project: Path, home: Path) -> None:
    packages = process.site_packages()
    assert packages
    assert process.by_launcher("hook", "Stop") is None
    place = home / ".local/share/agent-progress/env" / environment.identity()
    place.mkdir(parents=True)
    (place / "site-packages").symlink_to(packages)
    (place / "python").write_text(f"{environment.interpreter()}\n")
    command = process.by_launcher("hook", "SessionStart")
    assert command
    assert command[1:] == [str(Path(PLUGIN_ROOT) / "bin/agent-progress"), "hook", "SessionStart"]
    found, context = starts.look_at_starts(find_project(str(project)))
    assert [each.state for each in found] == [FindingState.OK]
    assert "Laid the first stone" in context


@pytest.mark.parametrize(
    ("variable", "said"),
    [
        ("CLAUDECODE", "Claude Code; finished work is noticed by edits, commits, finished tasks"),
        ("PLUGIN_ROOT", "Codex CLI; finished work is noticed by commits and ends of turns"),
        ("GEMINI_CLI", "Gemini CLI; finished work is noticed by the end of the session"),
    ],
)
def test_doctor_knows_the_client_it_runs_under(variable: str, said: str) -> None:
    assert look_at_client({"HOME", variable}).what.startswith(said)


def test_doctor_says_that_no_client_started_it_and_that_nothing_is_wrong_with_that() -> None:
    found = look_at_client({"HOME"})
    assert found.what.startswith("none in this environment")
    assert found.state is FindingState.OK


def test_files_that_are_silent_because_nothing_is_told_name_the_setting_that_says_so(
    project: Path, run: Any
) -> None:
    run("config", "set", "inject", "false")
    (finding,) = look_at_file_notes(find_project(str(project)), set())
    assert finding.remedy == "`agent-progress config set inject true`"
    run("config", "set", "jit", "false")
    (finding,) = look_at_file_notes(find_project(str(project)), set())
    assert finding.remedy == "`agent-progress config set inject true`, `agent-progress config set jit true`"
    run("config", "set", "inject", "true")
    (finding,) = look_at_file_notes(find_project(str(project)), set())
    assert finding.remedy == "`agent-progress config set jit true`"
