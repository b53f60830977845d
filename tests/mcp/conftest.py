"""The server as a client meets it: a process, on its standard input and output."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters

REPOSITORY = Path(__file__).resolve().parents[2]

Connect = Callable[..., AbstractAsyncContextManager[Client]]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


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
def connect(project: Path, database: Path, home: Path) -> Connect:
    """Return a function that starts the server for the project and connects the official client to it."""

    @asynccontextmanager
    async def connected(module: str = "progress_plugin mcp", **environment: str) -> AsyncIterator[Client]:
        parameters = StdioServerParameters(
            command=sys.executable,
            args=["-m", *module.split()],
            cwd=REPOSITORY,
            env={
                "HOME": str(home),
                "PATH": "/usr/bin:/bin",
                "CLAUDE_PROJECT_DIR": str(project),
                "AGENT_PROGRESS_DB": str(database),
                **{name: value for name, value in os.environ.items() if name.startswith("COVERAGE")},
                **environment,
            },
        )
        async with Client(parameters) as client:
            yield client

    return connected
