"""What the tests of the page need is asked for aloud where it is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.run import Session, install_browser


@pytest.mark.parametrize(("required", "outcome"), [("1", "FAILED"), ("", "LEFT OUT")])
def test_a_missing_browser_fails_a_build_server_and_is_told_to_a_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, required: str, outcome: str
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("AGENT_PROGRESS_REQUIRE_CLIENTS", required)
    session = Session(fast=False, only=None, install_node=False, pytest_arguments=[])
    install_browser(session)
    assert [(step.name, step.outcome.partition(":")[0]) for step in session.steps] == [("browser", outcome)]
    assert session.failed == (outcome == "FAILED")
