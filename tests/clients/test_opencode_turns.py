"""Several turns of one OpenCode, as its terminal has them: `opencode serve`, asked by its own protocol."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, Request, build_opener

import pytest

from tests.clients.harness.client_run import base_env
from tests.clients.harness.clients import Job, plan_opencode
from tests.clients.harness.stub_server import StubServer

pytestmark = [pytest.mark.client, pytest.mark.slow]

START, PROMPT, STOP = (f"hook {event} opencode" for event in ("SessionStart", "UserPromptSubmit", "Stop"))
BEGIN, REOPEN = f"{START} startup", f"{START} reopened"
_OPENER = build_opener(ProxyHandler({}))


class Served:
    """An OpenCode that waits for requests."""

    def __init__(self, url: str) -> None:
        self._url = url

    def begins(self) -> str:
        """Begin a session, and return its id."""
        found: str = self._asked("/session", {})["id"]
        return found

    def is_asked(self, session: str, said: str) -> None:
        """Have a turn done."""
        self._asked(f"/session/{session}/message", {"parts": [{"type": "text", "text": said}]})

    def runs(self, session: str, command: str) -> None:
        """Have a command of the user's run, as `!` does in the terminal."""
        self._asked(f"/session/{session}/shell", {"agent": "build", "command": command})

    def _asked(self, path: str, body: dict[str, Any]) -> Any:
        request = Request(self._url + path, json.dumps(body).encode(), {"content-type": "application/json"})
        with _OPENER.open(request, timeout=60) as answer:
            return json.loads(answer.read())


@contextmanager
def served(binary: str, plugin: Path, project: Path, home: Path, scratch: Path) -> Iterator[Served]:
    """Run OpenCode without a terminal against a scripted model, in a home of its own."""
    with StubServer([{"text": "done"}]) as model:
        plan = plan_opencode(Job(binary, home, project, scratch, model.url, "", plugin))
        for name, text in plan.files.items():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_text(text, "utf-8")
        with subprocess.Popen(
            [binary, "serve", "--port", "0"],
            cwd=project,
            env={**base_env(home, binary, model.url), **plan.env},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as process:
            try:
                lines = process.stdout or ()
                yield Served(next(url[0] for line in lines if (url := re.search(r"http://[\d.]+:\d+", line))))
            finally:
                process.kill()


def counter(plugin: Path, place: Path, calls: Path) -> Path:
    """Return a copy of the plugin with a launcher that writes down how it is called, and does nothing else."""
    shutil.copytree(plugin, place)
    text = (
        '#!/bin/sh\n[ "$1" = hook ] || exit 1\n'
        """source=$(sed -n 's/.*"source":"\\([a-z]*\\)".*/ \\1/p')\n"""
        f'echo "$*$source" >>"{calls}"\n'
    )
    (place / "bin" / "agent-progress").write_text(text)
    return place


def told(calls: Path, expected: list[str]) -> list[str]:
    """Return how the launcher was called, as soon as that is as expected, or after a while."""
    until = time.monotonic() + 20
    lines: list[str] = []
    while lines != expected and time.monotonic() < until:
        time.sleep(0.1)
        lines = calls.read_text("utf-8").splitlines() if calls.exists() else []
    return lines


def test_each_turn_but_the_first_of_a_session_tells_that_it_begins(
    opencode: str, plugin: Path, project: Path, home: Path, tmp_path: Path
) -> None:
    calls = tmp_path / "calls"
    copy = counter(plugin, tmp_path / "counting", calls)
    with served(opencode, copy, project, home, tmp_path) as client:
        session = client.begins()
        client.is_asked(session, "hello")
        assert told(calls, [BEGIN, STOP]) == [BEGIN, STOP]
        client.is_asked(session, "go on")
        assert told(calls, [BEGIN, STOP, PROMPT, STOP]) == [BEGIN, STOP, PROMPT, STOP]
        client.runs(session, "true")
        assert told(calls, [BEGIN, *[STOP, PROMPT] * 2, STOP]) == [BEGIN, *[STOP, PROMPT] * 2, STOP]
    with served(opencode, copy, project, home, tmp_path) as client:
        calls.unlink()
        client.is_asked(session, "and once more")  # resumed
        assert told(calls, [REOPEN, STOP]) == [REOPEN, STOP]
