"""A start opens no socket and waits for nothing, even if the team's server does not answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.team.members import STATE, member, require_tracer, waited_for

MAIN = str(REPOSITORY / "progress_plugin/__main__.py")


@pytest.mark.parametrize("is_fresh", [True, False], ids=["fresh", "stale"])
def test_a_start_opens_no_socket_and_starts_one_process_that_does(tmp_path: Path, is_fresh: bool) -> None:
    require_tracer()
    clone = member(tmp_path, "ours", "postgresql://127.0.0.1:1/team")
    clone.log("Berths are listed", task="US-001")
    clone.run("sync", status=3)  # it takes part all the same
    clone.start()
    waited_for(clone)
    os.utime(clone.private(STATE), (0, 0))
    if not is_fresh:
        (clone.root / "progress.md").write_text("## 2026-01-05 - US-002: Light the lamp\n- Lit it\n", "utf-8")
    tracer = [
        "strace",
        "-ff",
        "-qq",
        "-s",
        "4096",
        "-o",
        f"{tmp_path}/trace",
        "-e",
        "trace=socket,connect,execve",
    ]
    event = {"session_id": "another", "cwd": str(clone.root), "source": "startup"}
    done = subprocess.run(
        [*tracer, sys.executable, "-I", "-S", "-X", "utf8", MAIN, "hook", "SessionStart"],
        input=json.dumps(event), cwd=clone.root, capture_output=True, text=True, check=True,
        env={"HOME": str(clone.home), "CLAUDECODE": "1", "PATH": os.environ["PATH"]},
    )  # fmt: skip
    assert "Berths are listed" in done.stdout
    waited_for(clone)
    traces = [path.read_text("utf-8", "replace") for path in tmp_path.glob("trace.*")]
    [ours] = [text for text in traces if MAIN in text and '"sync"' not in text]
    assert "socket(" not in ours
    assert "connect(" not in ours
    [detached] = [text for text in traces if '"sync"' in text]
    assert "connect(" in detached
    assert clone.private(STATE).stat().st_mtime > 0  # and the next start need not try again
