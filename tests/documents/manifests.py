"""What every manifest repeats: the version from `progress_plugin/__init__.py`, the publisher from `pyproject.toml`."""

from __future__ import annotations

import re
import tomllib

from progress_plugin import VERSION
from tests.conftest import REPOSITORY

VERSIONED = (
    "plugin.json",
    ".claude-plugin/plugin.json",
    ".codex-plugin/plugin.json",
    ".cursor-plugin/plugin.json",
    "gemini-extension.json",
    "package.json",
    "server.json",
)
MARKETPLACE = ".claude-plugin/marketplace.json"
_PYPROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))
PUBLISHER: str = _PYPROJECT["project"]["authors"][0]["name"]
REGISTERED: str = _PYPROJECT["tool"]["agent-progress"]["mcp-name"]
"""The server's name in the registry of MCP servers; only the account that it begins with can publish it."""
_VERSION = re.compile(r'("version": )"[^"]*"')
_PUBLISHER = re.compile(r'("(?:author|owner)": \{\s*"name": )"[^"]*"')
_IN_REGISTRY = re.compile(r'(?<="name": ")[\w.-]+/[\w.-]+(?=")|(?<=<!-- mcp-name: )\S+(?= -->)')


def with_version(text: str) -> str:
    """Return a manifest with the version it is to have."""
    return _VERSION.sub(rf'\1"{VERSION}"', text)


def with_publisher(text: str) -> str:
    """Return a manifest, or the README, with the publisher's names."""
    return _IN_REGISTRY.sub(REGISTERED, _PUBLISHER.sub(rf'\1"{PUBLISHER}"', text))
