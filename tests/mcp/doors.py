"""The server's door as a process, as the launcher starts it, spoken to line by line."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import mcp

from progress_plugin.core.packages.environment import identity, interpreter
from tests.conftest import REPOSITORY
from tests.documents.ready_answers import CLIENT, request
from tests.stdio_server import StdioServer, started

SITE = str(Path(str(mcp.__file__)).parents[1])
MODERN, OLDER = "2026-07-28", "2025-06-18"
INITIALIZED = '{"jsonrpc": "2.0", "method": "notifications/initialized"}'


class Door(StdioServer):
    """The door of our server, with what a client says to it."""

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
    with started(door, cwd=project, env=environment) as server:
        yield Door(server.process)


def sdk(project: Path, home: Path, **variables: str) -> Any:
    """Start the SDK's server without the door."""
    words = (sys.executable, "-m", "progress_plugin.mcp_server")
    return opened(project, home, *words, PYTHONPATH=str(REPOSITORY), **variables)


def own_environment(home: Path, *copied: str) -> Path:
    """Return site-packages of a standing environment: links to the tests' packages, but for those copied."""
    site = home / ".local/share/agent-progress/env" / identity() / "site-packages"
    site.mkdir(parents=True)
    (site.parent / "python").write_text(interpreter())
    for each in Path(SITE).iterdir():
        if each.name in copied:
            shutil.copytree(each, site / each.name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            (site / each.name).symlink_to(each)
    return site
