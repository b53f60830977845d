"""Stories are counted by one function: whoever counts what it sees forgets the archive."""

from __future__ import annotations

import re
from pathlib import Path

import progress_plugin

PACKAGE = Path(progress_plugin.__file__).parent
COUNTING = re.compile(r"len\(history\.stories\)|(?:sum|Counter)\([^()]* for story in history\.stories")


def test_nobody_counts_stories_but_the_history() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}: {match[0]}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for match in COUNTING.finditer(path.read_text("utf-8"))
    ]
    assert found == []
