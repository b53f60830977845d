"""What one module does so that nobody has to think of it again is done by no other (read from the source)."""

from __future__ import annotations

import re

import pytest

from tests.conftest import REPOSITORY

ALONE = {
    "a lock of the system": (r"\bflock\(|\blocking\(", {"core/files/lock.py", "core/fast/notes_told_already.py"}),
    "a limit of time": (r"setitimer|SIGALRM|\.alarm\(", {"hooks/entry.py", "log/regex_timeout.py"}),
    "an exit without an end": (r"\b_exit\(", {"hooks/entry.py", "__main__.py", "mcp_server.py"}),
    "a hook's input": (r"sys\.stdin\b|\bsystem\.read\(0", {"hooks/entry.py", "core/standard_streams.py", "cli/memory.py", "summary/custom_template.py"}),
    "the working directory": (r"\bos\.getcwd\(", {"core/project.py", "core/paths.py", "core/standard_streams.py"}),
    "a private part of re": (r"\bre\._|\b_sre\b|re import _", set()),
    "a connection to a database": (r"sqlite3\.connect\(", {"memory/database.py", "transcripts/clients/client_database.py", "recall/index_file.py"}),
}  # fmt: skip


@pytest.mark.parametrize(("pattern", "allowed"), ALONE.values(), ids=ALONE)
def test_what_has_a_place_is_done_there_alone(pattern: str, allowed: set[str]) -> None:
    package = REPOSITORY / "progress_plugin"
    found = {
        str(path.relative_to(package))
        for path in package.rglob("*.py")
        if re.search(pattern, re.sub(r'"""(?s:.*?)"""|#.*', "", path.read_text("utf-8")))
    }
    assert found <= allowed, found - allowed
