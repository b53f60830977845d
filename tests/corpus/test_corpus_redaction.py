"""Redaction leaves real logs as they are, read as whole documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from progress_plugin.text.redact import redact_document, redact_lines

pytestmark = pytest.mark.corpus


def test_at_most_one_of_a_thousand_lines_of_real_logs_changes(corpus: Path) -> None:
    lines = changed = 0
    for log in (*corpus.glob("logs/*/*.md"), *corpus.glob("logs/*/*.txt")):
        text = log.read_text("utf-8", errors="replace").split("\n")
        redacted = redact_document("\n".join(text), redact_lines).split("\n")
        lines += len(text)
        changed += sum(before != after for before, after in zip(text, redacted, strict=True))
    assert lines > 40_000
    assert changed <= lines / 1000
