"""Read the tables of examples in this directory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"


def table(name: str) -> Any:
    return json.loads((DATA / name).read_text("utf-8"))


def document(name: str) -> str:
    return (DATA / "documents" / f"{name}.md").read_text("utf-8")
