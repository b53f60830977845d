"""The server as a client meets it: a process, on its standard input and output."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    asynccontextmanager,
    contextmanager,
)
from pathlib import Path

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters

from tests.conftest import REPOSITORY
from tests.stdio_server import StdioServer, started

Connect = Callable[..., AbstractAsyncContextManager[Client]]
Start = Callable[..., AbstractContextManager[StdioServer]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project whose name is `shop`."""
    root = tmp_path / "shop"
    (root / ".git").mkdir(parents=True)
    return root


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "data" / "memory.db"


@pytest.fixture
def variables(project: Path, database: Path, home: Path) -> dict[str, str]:
    """Return the environment of a server that serves the project."""
    return {
        "HOME": str(home), "PATH": "/usr/bin:/bin", "CLAUDE_PROJECT_DIR": str(project), "AGENT_PROGRESS_DB": str(database),
    }  # fmt: skip


@pytest.fixture
def connect(variables: dict[str, str]) -> Connect:
    """Return a function that starts the server and connects the official client to it."""

    @asynccontextmanager
    async def connected(mode: str = "auto", **more: str) -> AsyncIterator[Client]:
        words = ["-m", "progress_plugin", "mcp"]
        server = StdioServerParameters(
            command=sys.executable, args=words, cwd=REPOSITORY, env=variables | more
        )
        async with Client(server, mode=mode) as client:
            yield client

    return connected


@pytest.fixture
def start(variables: dict[str, str], project: Path) -> Start:
    """Return a function that starts the server, or another program with the server's environment."""

    @contextmanager
    def opened(*words: str, **more: str) -> Iterator[StdioServer]:
        command = words or (str(REPOSITORY / "progress_plugin/__main__.py"), "mcp")
        with started([sys.executable, *command], cwd=project, env=variables | more) as server:
            yield server

    return opened
