"""Count the tokens of summaries and start contexts of real logs: `python benchmarks/corpus.py`.

The corpus is in `AGENT_PROGRESS_CORPUS` or in `../shared/corpus` next to the repository.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

BINS = ((4, 7, 67), (8, 14, 77), (15, 30, 85), (40, 70, 92), (100, 10_000, 95))  # stories, percent to save


@dataclass(frozen=True)
class Saving:
    """One log: stories, tokens of log and plan, of the summary, and of the start context."""

    stories: int
    before: int
    after: int
    context_tokens: int

    @property
    def percent(self) -> float:
        """Tokens saved, in percent."""
        return 100 * (self.before - self.after) / self.before


def find() -> Path | None:
    """Return the directory of the logs, or None if there is no corpus."""
    place = Path(os.environ.get("AGENT_PROGRESS_CORPUS") or ROOT.parent / "shared/corpus") / "logs"
    return place if place.is_dir() else None


def measure(place: Path, limit: int | None = None) -> list[Saving]:
    """Return the saving of each log, or of the first `limit` logs."""
    return [measure_log(log) for log in sorted(place.iterdir())[:limit]]


def measure_log(log: Path) -> Saving:
    """Return the saving of a log, in a project with that log and its plan."""
    from progress_plugin.core.project import find_project  # noqa: PLC0415 - needs the packages
    from progress_plugin.text.bounds import estimate_tokens  # noqa: PLC0415
    from progress_plugin.usecases.composing import compose_for_this_call  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for path in log.iterdir():
            shutil.copyfile(path, root / path.name)
        own = root / ".agent-os" / "progress"
        own.mkdir(parents=True)
        names = [path.name for path in log.iterdir() if path.suffix in (".md", ".txt")]
        (own / "config.toml").write_text(f"log_files = {json.dumps(names)}\n", "utf-8")
        composed = compose_for_this_call(find_project(str(root)))
    state = composed.reading.facts.state
    stories = len(state.items) or state.entries
    context_tokens = estimate_tokens(composed.cache.context)
    return Saving(stories, composed.tokens_before, composed.tokens_after, context_tokens)


def table(savings: Sequence[Saving]) -> str:
    """Return the savings by number of stories as a Markdown table."""
    lines = [
        "| Stories | Logs | Tokens before | After | Saved | Bound | |",
        "|---|---:|---:|---:|---:|---:|---|",
    ]
    for low, high, bound in BINS:
        own = [saving for saving in savings if low <= saving.stories <= high]
        if not own:
            continue
        before, after, saved = (
            statistics.median(getattr(each, name) for each in own) for name in ("before", "after", "percent")
        )
        name = f"{low} and more" if high >= 10_000 else f"{low} to {high}"
        verdict = "holds" if round(saved) >= bound else "**does not hold**"
        lines.append(
            f"| {name} | {len(own)} | {before:,.0f} | {after:,.0f} | {saved:.0f} % | {bound} % | {verdict} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    if (logs := find()) is None:
        raise SystemExit("no corpus: name its directory with AGENT_PROGRESS_CORPUS")
    print(table(measure(logs)))
