"""The share of facts about files that an agent is told, by its start or when it opens the file.

    python3 tests/corpus/file_facts.py [--corpus DIR] [--misses]

For the logs of `resume/` in the corpus: every fact whose lines or keys name a file. A fact counts as told
where the start context tells it, or what the hook adds at a read of one of the files that the fact's own
lines name, in a session of its own. Without the corpus nothing is measured, and that is said.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from progress_plugin.core.project import find_project  # noqa: E402
from progress_plugin.text.paths_in_text import paths_in  # noqa: E402
from progress_plugin.usecases.project_writes import prepare  # noqa: E402
from progress_plugin.usecases.summary_files import regenerate  # noqa: E402

BOUND = 0.95


class Share(NamedTuple):
    """Of so many facts that name a file: told by the start, by either, and those told by neither."""

    facts: int
    at_start: int
    in_all: int
    by_file: float
    """The same, each fact counting for the share of its files that bring it."""
    missed: Sequence[str]


def main() -> int:
    """Measure and print; exit code 1 where the bound is not met, 0 also where there is no corpus."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    given = os.environ.get("AGENT_PROGRESS_CORPUS") or ROOT.parent / "shared/corpus"
    parser.add_argument("--corpus", type=Path, default=Path(given))
    parser.add_argument("--misses", action="store_true", help="list the facts that are told by neither")
    options = parser.parse_args()
    if not (options.corpus / "resume/score.py").is_file():
        print(f"NOTHING MEASURED: no resume facts in {options.corpus}; set AGENT_PROGRESS_CORPUS")
        return 0
    with tempfile.TemporaryDirectory(prefix="agent-progress-file-facts-") as folder:
        share = measured(options.corpus, Path(folder))
    if options.misses:
        print("\n".join(share.missed))
    start, either = share.at_start / share.facts, share.in_all / share.facts
    met = "met" if either >= BOUND else "NOT MET"
    print(
        f"{share.facts} facts name a file: the start tells {start:.3f}, start and hook {either:.3f} "
        f"(bound {BOUND:.2f}, {met}); at one of its files taken by chance {share.by_file / share.facts:.3f}"
    )
    return 0 if either >= BOUND else 1


def measured(corpus: Path, folder: Path) -> Share:
    """Return the share over all logs of the corpus; `folder` is for their projects."""
    os.environ["HOME"] = str(folder / "home")
    score = _module(corpus / "resume/score.py")
    shares = [
        _of_log(path, corpus, folder, score) for path in sorted((corpus / "resume/facts").glob("*.json"))
    ]
    missed = [line for share in shares for line in share.missed]
    return Share(*(sum(column) for column in zip(*(share[:4] for share in shares), strict=True)), missed)


def _of_log(path: Path, corpus: Path, folder: Path, score: ModuleType) -> Share:
    root = folder / path.stem
    shutil.copytree(corpus / "logs" / path.stem, root)
    (root / ".git").mkdir()
    log = Path(score.log_file(str(root))).rename(root / f"progress{Path(score.log_file(str(root))).suffix}")
    lines = log.read_text("utf-8", "replace").splitlines()
    project = find_project(str(root))
    prepare(project)
    regenerate(project, 5.0)
    start = _hook("SessionStart", root, {"source": "startup"})
    told = score.passages(start)
    facts = at_start = in_all = 0
    by_file = 0.0
    missed = []
    for fact in json.loads(path.read_text("utf-8"))["facts"]:
        files = _files_of(fact, lines)
        if not files:
            continue
        facts += 1
        if score.told(fact, told):
            at_start += 1
            in_all += 1
            by_file += 1
            continue
        brought = [score.told(fact, [*told, *score.passages(_opened(root, file))]) for file in files]
        in_all += any(brought)
        by_file += sum(brought) / len(files)
        if not any(brought):
            missed.append(
                f"{path.stem} {fact['id']} {fact['kind']}: {fact['q']} => {fact['a']} [{', '.join(files)}]"
            )
    return Share(facts, at_start, in_all, by_file, missed)


def _files_of(fact: dict[str, Any], lines: Sequence[str]) -> list[str]:
    """Return the files that a fact's own lines or keys name."""
    said = [lines[number - 1] for number in fact["lines"] if 0 < number <= len(lines)]
    said += [alternative for group in fact["keys"] for alternative in group]
    found = dict.fromkeys(path for text in said for path in paths_in(text))
    return [
        path
        for path in found
        if not path.endswith("/") and "*" not in path and "." in path.rsplit("/", 1)[-1]
    ]


def _opened(root: Path, file: str) -> str:
    """Return what the hook adds at a read of a file, in a session that has seen nothing but the start."""
    session = f"read-{abs(hash(file))}"
    _hook("SessionStart", root, {"source": "startup", "session_id": session})
    told = {"session_id": session, "tool_name": "Read", "tool_input": {"file_path": str(root / file)}}
    return _hook("PostToolUse", root, told)


def _hook(event: str, root: Path, fields: dict[str, Any]) -> str:
    told = {"session_id": "begin", "cwd": str(root), "hook_event_name": event, **fields}
    done = subprocess.run(
        [sys.executable, str(ROOT / "progress_plugin/__main__.py"), "hook", event],
        input=json.dumps(told).encode(),
        capture_output=True,
        env={
            **os.environ,
            "CLAUDECODE": "1",
            "CLAUDE_PROJECT_DIR": str(root),
            "AGENT_PROGRESS_NO_INSTALL": "1",
        },
        check=True,
    )
    answer = json.loads(done.stdout) if done.stdout else {}
    return str(answer.get("hookSpecificOutput", {}).get("additionalContext", ""))


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("score", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    sys.exit(main())
