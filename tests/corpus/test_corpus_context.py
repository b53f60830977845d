"""A start context of every real log stays under the cap, with whole lines and closed code fences."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from progress_plugin.core.project import find_project
from progress_plugin.text.bounds import utf16_length
from progress_plugin.usecases.composing import compose_for_this_call
from tests.corpus.projects import projects

pytestmark = pytest.mark.corpus


def test_no_log_makes_a_context_that_is_too_long_or_broken(corpus: Path, tmp_path: Path) -> None:
    for root in projects(corpus, tmp_path):
        text = compose_for_this_call(find_project(str(root))).cache.context
        assert 0 < utf16_length(text) < 9_000, root.name
        assert not re.search(r"^\s*(```|~~~)", text, re.MULTILINE), root.name
        rows = [line for line in text.splitlines() if line.startswith("|")]
        columns = {len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) for row in rows}
        assert columns <= {4} or columns <= {6}, root.name
