"""How every command prints: JSON for programs, in one form."""

from __future__ import annotations

import json
from typing import Any

import click


def print_json(value: Any) -> None:
    """Print one JSON value, indented, in UTF-8; a lone surrogate from a damaged file is no reason to fail."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    click.echo(text.encode("utf-8", "replace").decode("utf-8"))
