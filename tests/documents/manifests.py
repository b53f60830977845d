"""The version in every manifest, taken from the one place where it is set: `core/version.py`."""

from __future__ import annotations

import re

from progress_plugin.core.version import VERSION

VERSIONED = (
    "plugin.json",
    ".claude-plugin/plugin.json",
    ".codex-plugin/plugin.json",
    ".cursor-plugin/plugin.json",
    "gemini-extension.json",
    "package.json",
    "server.json",
)
_VERSION = re.compile(r'("version": )"[^"]*"')


def with_version(text: str) -> str:
    """Return a manifest with the version it is to have."""
    return _VERSION.sub(rf'\1"{VERSION}"', text)
