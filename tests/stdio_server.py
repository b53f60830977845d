"""A server that speaks JSON lines over standard input and output, started as a client starts it."""

from __future__ import annotations

import json
import select
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

TIMEOUT_S = 60


class StdioServer:
    """The client's end of a server process."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def send(self, line: str) -> None:
        """Send one message."""
        assert self.process.stdin
        self.process.stdin.write(line.encode("utf-8", "surrogatepass") + b"\n")
        self.process.stdin.flush()

    def receive(self) -> Any:
        """Return the next message of the server."""
        assert self.process.stdout
        assert select.select([self.process.stdout], [], [], TIMEOUT_S)[0], "no answer"
        return json.loads(self.process.stdout.readline())

    def answers(self, messages: Sequence[str]) -> dict[int, dict[str, Any]]:
        """Send these messages; return the answers to the requests among them by id."""
        for message in messages:
            self.send(message)
        received = [self.receive() for message in messages if "id" in json.loads(message)]
        return {answer["id"]: answer for answer in received}

    def end(self) -> tuple[int, bytes]:
        """Close the input; return the exit code and the error output."""
        _, errors = self.process.communicate(timeout=TIMEOUT_S)
        return self.process.returncode, errors


@contextmanager
def started(command: Sequence[str], **options: Any) -> Iterator[StdioServer]:
    """Start a server; it is killed at the end if it still runs."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, **options)
    try:
        yield StdioServer(process)
    finally:
        process.kill()
        process.communicate()
