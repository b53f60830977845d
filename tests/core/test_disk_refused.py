"""What the disk refuses is one line, of one kind, with what to do."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from progress_plugin.core.errors import DiskRefused, as_refusal
from tests.conftest import REPOSITORY

REMEDIES = {
    errno.ENOSPC: "No space left on device; the file is as it was; free some space on that disk",
    errno.EDQUOT: "your quota is used up: remove files there, or have it raised",
    errno.EROFS: "that file system is mounted for reading only: mount it for writing",
    errno.EACCES: "Permission denied; the file is as it was; check its owner and permissions",
}


@pytest.mark.parametrize("number", REMEDIES)
def test_each_refusal_says_what_to_do_in_one_line(number: int) -> None:
    error = OSError(number, os.strerror(number))
    said = str(DiskRefused("cannot write a.json", error, "the file is as it was"))
    assert said.startswith(f"cannot write a.json: {os.strerror(number)}; the file is as it was; ")
    assert REMEDIES[number] in said
    assert "\n" not in said


def test_an_error_without_a_number_is_told_as_it_is() -> None:
    assert str(DiskRefused("cannot write a.json", OSError("odd"))) == "cannot write a.json: odd"


def test_only_what_no_program_is_at_fault_for_is_taken_for_a_refusal_wherever_it_comes_up() -> None:
    assert as_refusal(OSError(errno.ENOENT, "No such file or directory", "x")) is None
    assert as_refusal(ValueError("x")) is None
    refusal = as_refusal(OSError(errno.EROFS, "Read-only file system", "/mnt/x"))
    assert str(refusal).startswith("cannot read or write /mnt/x: Read-only file system; ")


FULL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
sys.dont_write_bytecode = True  # half of it would be kept for the other tests
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
sys.argv[1:] = ["-C", sys.argv[1], "log", "milestone_reached", "--description", "Beta"]
from progress_plugin.core.errors import DiskRefused, as_refusal
from progress_plugin.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def test_a_command_on_a_disk_that_takes_nothing_is_one_line_and_exit_code_three(tmp_path: Path) -> None:
    # What measures coverage could not write its figures either, and would say so.
    env = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path)], cwd=REPOSITORY, env=env, capture_output=True, text=True
    )
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert "File too large" in done.stderr
    assert done.stderr.endswith("files may not get that large there: see `ulimit -f`\n")
