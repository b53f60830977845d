"""The server's door as a process, as the launcher starts it, spoken to line by line."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import mcp

from progress_plugin.core.packages.environment import interpreter
from tests.conftest import REPOSITORY
from tests.documents.ready_answers import CLIENT, request

PATIENCE = 60
SITE = str(Path(str(mcp.__file__)).parents[1])
MODERN = "2026-07-28"
INITIALIZED = '{"jsonrpc": "2.0", "method": "notifications/initialized"}'


class Door:
    """A server that was started, and its client's end."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def send(self, line: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def hear(self) -> bytes:
        assert self.process.stdout
        assert select.select([self.process.stdout], [], [], PATIENCE)[0], "no answer"
        return self.process.stdout.readline()

    def ask(self, line: str) -> Any:
        """Send a request and return its answer, taken apart."""
        self.send(line)
        return json.loads(self.hear())

    def begin(self, version: str) -> list[bytes]:
        """Make the handshake and ask for the tools; return both answers."""
        said = []
        for line in (*hello(version), request(2, "tools/list", version)):
            self.send(line)
            if '"id"' in line:
                said.append(self.hear())
        return said

    def call(self, version: str, name: str = "mem_progress", **arguments: Any) -> Any:
        """Call a tool and return the answer, taken apart."""
        return self.ask(request(3, "tools/call", version, name=name, arguments=arguments))

    def end(self) -> tuple[int, bytes]:
        """Hang up; return exit code and what was written beside the answers."""
        _, beside = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, beside


def hello(version: str) -> list[str]:
    """Return a client's handshake."""
    if version == MODERN:
        return [request(1, "server/discover", version)]
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT}
    return [request(1, "initialize", version, **params), INITIALIZED]


@contextmanager
def opened(project: Path, home: Path, *words: str, site: str = SITE, **variables: str) -> Iterator[Door]:
    """Start the door, or what `words` say, with the packages of the tests; `site` may be empty."""
    door = (*words,) or (interpreter(), "-I", "-S", "-X", "utf8", str(REPOSITORY / "hooks/mcp.py"))
    kept = {name: value for name, value in os.environ.items() if name.startswith("COVERAGE")}
    environment = {
        "HOME": str(home), "PATH": "/usr/bin:/bin", "CLAUDE_PROJECT_DIR": str(project), "AGENT_PROGRESS_SITE": site, **kept, **variables,
    }  # fmt: skip
    process = subprocess.Popen(
        door,
        cwd=project,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
    )
    try:
        yield Door(process)
    finally:
        process.kill()
        process.communicate()


def sdk(project: Path, home: Path, **variables: str) -> Any:
    """Start the SDK's server without the door."""
    words = (sys.executable, "-m", "progress_plugin.mcp_server")
    return opened(project, home, *words, PYTHONPATH=str(REPOSITORY), **variables)
