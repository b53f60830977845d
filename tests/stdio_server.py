"""A server that speaks JSON lines over its pipes, started and spoken to as a client does: for every test."""

from __future__ import annotations

import json
import os
import select
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

PATIENCE = 60
"""Seconds for an answer on a machine that others use, too."""


class StdioServer:
    """A server that was started, and its client's end."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def send(self, line: str) -> None:
        """Send one message."""
        assert self.process.stdin
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def hear(self) -> bytes:
        """Return the next line that it says, which is to come in time."""
        assert self.process.stdout
        assert select.select([self.process.stdout], [], [], PATIENCE)[0], "no answer"
        return self.process.stdout.readline()

    def ask(self, line: str) -> Any:
        """Send a request and return its answer, taken apart."""
        self.send(line)
        return json.loads(self.hear())

    def answers(self, messages: Sequence[str]) -> dict[int, dict[str, Any]]:
        """Send these messages, and return the answers to those that are requests by their ids."""
        for message in messages:
            self.send(message)
        wanted = sum("id" in json.loads(message) for message in messages)
        heard: dict[int, dict[str, Any]] = {}
        while len(heard) < wanted:
            answer = json.loads(self.hear())
            if "id" in answer:  # what has none is a notification
                heard[answer["id"]] = answer
        return heard

    def end(self) -> tuple[int, bytes]:
        """Hang up; return exit code and what was written beside the answers."""
        _, beside = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, beside


@contextmanager
def started(
    command: Sequence[str], *, cwd: str | os.PathLike[str], env: Mapping[str, str]
) -> Iterator[StdioServer]:
    """Start a server, which is gone afterwards whatever has happened."""
    process = subprocess.Popen(
        list(command),
        cwd=cwd,
        env=dict(env),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
    )
    try:
        yield StdioServer(process)
    finally:
        process.kill()
        process.communicate()
