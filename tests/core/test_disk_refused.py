"""A disk that refuses is one line with a remedy, and exit code 3."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.conftest import REPOSITORY

FULL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
sys.dont_write_bytecode = True  # other tests would find half of it
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
from progress_plugin.cli.main import main
sys.exit(main(["-C", sys.argv[1], "log", "milestone_reached", "--description", "Beta"]))
"""


def test_a_command_on_a_full_disk_prints_one_line_with_a_remedy_and_exits_with_3(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FULL, str(tmp_path)]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True)
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert "File too large" in done.stderr
    assert "see `ulimit -f`" in done.stderr
