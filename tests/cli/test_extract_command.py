"""`agent-progress extract`, run as a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

COMMAND = "from progress_plugin.cli.main import main; raise SystemExit(main())"
REPOSITORY = Path(__file__).resolve().parents[2]
LOG = REPOSITORY / "tests" / "cli" / "fixtures" / "ralph.md"


def run(*arguments: str | Path, cwd: Path = REPOSITORY) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", COMMAND, "extract", *map(str, arguments)]
    environment = os.environ | {"COLUMNS": "100", "PYTHONPATH": str(REPOSITORY), "PYTHONUTF8": "1"}
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=cwd, check=False)


def test_json_follows_the_contract(tmp_path: Path) -> None:
    plan = tmp_path / "prd.json"
    stories = [{"id": f"MILL-00{n}", "title": f"Part {n}", "passes": n < 3} for n in (1, 2, 3, 5)]
    plan.write_text(json.dumps({"userStories": stories}), "utf-8")
    done = run(LOG, "--prd", plan, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {
        "stories": [
            {"id": "MILL-001", "title": "Part 1", "status": "complete", "line": 11},
            {"id": "MILL-002", "title": "Part 2", "status": "complete", "line": 21},
            {"id": "MILL-003", "title": "Part 3", "status": "complete", "line": 21},
            {"id": "MILL-004", "title": None, "status": "blocked", "line": 28},
            {"id": "MILL-005", "title": "Part 5", "status": "pending", "line": None},
        ],
        "learnings": [
            {"kind": "gotcha", "text": "Grind with `make grind`, never by hand", "line": 6, "story": None, "files": []},
            {"kind": "pattern", "text": "Flour goes to `out/flour.bin`", "line": 7, "story": None,
             "files": ["out/flour.bin"]},
            {"kind": "gotcha", "text": "The wheel must be oiled before the first run, otherwise it blocks", "line": 17,
             "story": "MILL-001", "files": []},
            {"kind": "pattern", "text": "`src/mill.py` holds every setting", "line": 18, "story": "MILL-001",
             "files": ["src/mill.py"]},
        ],
        "recent": ["MILL-002", "MILL-003", "MILL-004"],
    }  # fmt: skip


def test_the_tables_show_lines_and_break_on_no_markup(tmp_path: Path) -> None:
    log = tmp_path / "log.md"
    log.write_text("## A-1: [bold]Mill[/bold] | \x1b[31mred\n**Gotcha:** `[x]` breaks [/nothing]\n", "utf-8")
    done = run(log.name, cwd=tmp_path)
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    for words in (
        "Stories of log.md",
        "│ 1 ",
        "[bold]Mill[/bold]",
        "│ 2 ",
        "[/nothing]",
        "Recent, oldest first: A-1",
    ):
        assert words in done.stdout


def test_an_empty_log_says_so(tmp_path: Path) -> None:
    (tmp_path / "log.md").write_bytes(b"")
    assert (
        run("log.md", cwd=tmp_path).stdout
        == "No stories found.\nNo learnings found.\nRecent, oldest first: none\n"
    )


def test_what_cannot_be_read_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    (tmp_path / "binary.md").write_bytes(b"a\0b")
    (tmp_path / "prd.json").write_text("{broken", "utf-8")
    (tmp_path / "log.md").write_text("## A-1\n", "utf-8")
    for arguments in (
        ["missing.md"],
        ["."],
        ["binary.md"],
        ["log.md", "--prd", "prd.json"],
        ["log.md", "--prd", "no"],
    ):
        done = run(*arguments, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, ""), arguments
        assert done.stderr.startswith("agent-progress: ")
        assert done.stderr.count("\n") == 1


def test_utf_16_is_read(tmp_path: Path) -> None:
    (tmp_path / "log.md").write_text("## A-1: Müehle\n", "utf-16")
    assert json.loads(run("log.md", "--json", cwd=tmp_path).stdout)["stories"][0]["title"] == "Müehle"


def test_recent_stories_without_an_id_are_named_by_their_titles(tmp_path: Path) -> None:
    (tmp_path / "log.md").write_text(
        "## 2026-03-01 - Login page\n- Built it\n\n## 2026-03-02 - A-2: Cart\n- Built it\n"
    )
    assert run("log.md", cwd=tmp_path).stdout.endswith("Recent, oldest first: Login page, A-2\n")
