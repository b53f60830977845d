"""Measure how often one of the first five hits of `recall` states the fact that a question asks for.

    .venv/bin/python -m training.recall_exam --logs DIR --facts DIR [--half first|second] [--misses]

A directory of facts holds `NAME.json`, one of logs `NAME/` with the log and its plan. Each fact has a
question and groups of keys: a text states the fact if it has at least one key of every group. `shown` is the
share of facts that the text of one hit states, `found` also counts the lines next to it in the file. `there`
is the share that any passage of the index states: the most that an order of hits could reach.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from progress_plugin.core.project import find_project
from progress_plugin.recall.index import index_path, open_index
from progress_plugin.recall.search import Hit
from progress_plugin.usecases.recalling.recall import recall
from training.selection.cases import need_of, passages_of, plain

FIRST = 5
GOAL = 0.85


class Asked(NamedTuple):
    """One fact, and whether it was found by its question."""

    name: str
    kind: str
    question: str
    shown: bool
    found: bool
    there: bool


def main() -> int:
    """Print a line of figures for each directory of facts; return 2 if there are none."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--logs", type=Path, required=True)
    parser.add_argument("--facts", type=Path, action="append", required=True)
    parser.add_argument(
        "--half", choices=("first", "second"), help="the logs to tune on, every second one; or the others"
    )
    parser.add_argument("--misses", action="store_true", help="list the questions whose fact was not found")
    options = parser.parse_args()
    for folder in options.facts:
        files = sorted(folder.glob("*.json"))
        if not files or not options.logs.is_dir():
            print(f"no facts in {folder}, or no logs; nothing was measured", file=sys.stderr)
            return 2
    with tempfile.TemporaryDirectory(prefix="agent-progress-recall-") as scratch:
        os.environ["HOME"] = str(Path(scratch, "home"))
        for folder in options.facts:
            results = list(examined(options.logs, folder, options.half, Path(scratch)))
            print(f"{folder.parent.name}/{folder.name}: {line(results)}")
            for each in results if options.misses else ():
                if not each.found:
                    print(f"  {each.name} {each.kind}: {each.question}{'' if each.there else '  (nowhere)'}")
    return 0


def line(results: Sequence[Asked]) -> str:
    """Return the figures in one line."""
    of = len(results)
    kinds = {}
    for kind in sorted({each.kind for each in results}):
        some = [each.found for each in results if each.kind == kind]
        kinds[kind] = f"{kind} {sum(some) / len(some):.2f}"
    names = ("shown", "found", "there")
    shares = {name: sum(getattr(each, name) for each in results) / of for name in names}
    found = ", ".join(f"{name} {share:.3f}" for name, share in shares.items())
    return f"{of} facts, {found}; {', '.join(kinds.values())}"


def examined(logs: Path, facts: Path, half: str | None, scratch: Path) -> Iterator[Asked]:
    """Yield the result for each fact; copies of the projects are made in `scratch`.

    `half` is `first` for every second log, to which the weights were fitted, `second` for the rest, or None.
    """
    files = [file for file in sorted(facts.glob("*.json")) if (logs / file.stem).is_dir()]
    start = {"first": 0, "second": 1}.get(half or "", 0)
    for file in files[start :: 2 if half else 1]:
        root = _project(logs / file.stem, scratch / facts.parent.name / facts.name / file.stem)
        yield from _asked(root, json.loads(file.read_bytes())["facts"])


def _project(log: Path, root: Path) -> Path:
    """Copy a project, with its log under a usual name, so that it is found; return the copy."""
    shutil.copytree(log, root)
    texts = [file for file in root.iterdir() if file.suffix in {".md", ".txt"}]
    text = max(texts, key=lambda file: file.stat().st_size)
    text.rename(root / f"progress{text.suffix}")
    return root


def _asked(root: Path, facts: Sequence[dict[str, object]]) -> Iterator[Asked]:
    project = find_project(str(root))
    files: dict[str, list[str]] = {}
    recall(project, "first")
    everything = _everything(root)
    for raw in facts:
        fact, question = need_of(raw), str(raw["q"])
        hits = recall(project, question, FIRST)["hits"]
        yield Asked(
            root.name, fact.kind, question,
            any(fact.share_in(text) == 1 for text in _texts(hits)),
            any(fact.share_in(text) == 1 for hit in hits for text in _around(root, hit, files)),
            any(fact.share_in(text) == 1 for hit in everything for text in _around(root, hit, files)),
        )  # fmt: skip


def _everything(root: Path) -> list[Hit]:
    """Return every passage that is indexed."""
    place = index_path(str(root))
    index = open_index(place) if place else None
    if index is None:
        raise RuntimeError(f"{root}: there is no index")
    rows = index.connection.execute("SELECT path, line, last, text FROM passages")
    names = ("file", "line", "last_line", "text")
    return [dict(zip(names, row, strict=True)) | {"around": None} for row in rows]


def _texts(hits: Sequence[Hit]) -> list[str]:
    return [text for hit in hits for text in passages_of(f"{hit['text']}\n{hit['around'] or ''}")]


def _around(root: Path, hit: Hit, files: dict[str, list[str]]) -> Iterator[str]:
    """Yield the passages of a hit, and its lines in the file with those next to them, as plain text."""
    yield from passages_of(f"{hit['text']}\n{hit['around'] or ''}")
    path, first = hit["file"], hit["line"]
    if path not in files:
        files[path] = (root / path).read_bytes().decode("utf-8", "replace").split("\n")
    lines = files[path]
    if first:
        said = [at for at, line_ in enumerate(lines) if line_.strip()]
        for line_ in range(first - 1, max(hit["last_line"], first)):
            place = next((at for at, number in enumerate(said) if number >= line_), len(said) - 1)
            yield " ".join(plain(lines[number]) for number in said[max(0, place - 1) : place + 2])


if __name__ == "__main__":
    raise SystemExit(main())
