"""How many of the facts that the next agent needs are in the contexts of real logs?"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.corpus
COMMAND = "from progress_plugin.cli.main import main; main()"


def scored(corpus: Path, *options: str) -> dict[str, Any]:
    """Return what the scorer in the directory of the facts prints, with the shipped weights."""
    cli = f'"{sys.executable}" -c "{COMMAND}"'
    script = [sys.executable, str(corpus / "resume" / "score.py"), "--cli", cli, "--json", *options]
    done = subprocess.run(script, capture_output=True, text=True, check=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_contexts_tell_seven_tenths_of_what_is_needed(corpus: Path) -> None:
    summary = scored(corpus)["summary"]
    assert summary["facts"] >= 336
    assert summary["recall"] >= 0.70
    assert min(summary["by_kind"].values()) >= 0.62


def test_what_was_recorded_through_our_own_log_comes_back(corpus: Path) -> None:
    summary = scored(corpus, "--native")["summary"]
    assert summary["facts"] >= 90
    assert summary["recall"] >= 0.72
