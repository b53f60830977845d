"""The real logs, each as a project of its own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path


def projects(corpus: Path, place: Path) -> Iterator[Path]:
    """Yield the root of a project per log, made below `place`."""
    folders = sorted((corpus / "logs").iterdir())
    assert len(folders) == 58
    for folder in folders:
        root = place / folder.name
        root.mkdir()
        for path in folder.iterdir():
            name = path.name if path.suffix == ".json" else "progress.md"
            shutil.copyfile(path, root / name)
        yield root
