"""How much shorter a summary is than what it stands for, over the corpus of real logs, by number of stories.

`python benchmarks/savings.py [--write docs/savings.md]` needs the corpus (`AGENT_PROGRESS_CORPUS`, or
`../shared/corpus` beside the repository) and prints a Markdown table: of each bin the median log.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from progress_plugin.core.project import find_project  # noqa: E402
from progress_plugin.usecases.summarizing.summary_files import compose_for_this_call  # noqa: E402

BINS = ((4, 7, 67), (8, 14, 77), (15, 30, 85), (40, 70, 92), (100, 10_000, 95))
"""Number of stories from and to, and the percent that is to be saved."""


@dataclass(frozen=True)
class Saving:
    """One log: stories, estimated tokens of log and plan, and of the summary."""

    stories: int
    before: int
    after: int

    @property
    def percent(self) -> float:
        """What is saved, in percent of what was there before."""
        return 100 * (self.before - self.after) / self.before


def corpus_place() -> Path:
    """Return the directory of the corpus; raises SystemExit where it is not there."""
    place = Path(os.environ.get("AGENT_PROGRESS_CORPUS") or ROOT.parent / "shared" / "corpus")
    if not (place / "index.json").is_file():
        raise SystemExit(f"no corpus at {place}; name its directory with AGENT_PROGRESS_CORPUS")
    return place


def measure(log: Path) -> Saving:
    """Return the saving of one log, read in a project that holds it and its plan."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for path in log.iterdir():
            shutil.copyfile(path, root / path.name)
        own = root / ".agent-os" / "progress"
        own.mkdir(parents=True)
        names = [path.name for path in log.iterdir() if path.suffix in (".md", ".txt")]
        (own / "config.toml").write_text(f"log_files = {json.dumps(names)}\n", "utf-8")
        composed = compose_for_this_call(find_project(str(root)))
    return Saving(len(composed.history.stories), composed.tokens_before, composed.tokens_after)


def table(savings: list[Saving]) -> str:
    """Return the Markdown table."""
    lines = [
        "| stories | logs | tokens before | after | saved | wanted | |",
        "|---|---:|---:|---:|---:|---:|---|",
    ]
    for low, high, wanted in BINS:
        own = [saving for saving in savings if low <= saving.stories <= high]
        before, after = (
            statistics.median(getattr(each, name) for each in own) for name in ("before", "after")
        )
        saved = statistics.median(each.percent for each in own)
        name = f"{low} and more" if high >= 10_000 else f"{low} to {high}"
        verdict = "met" if round(saved) >= wanted else "missed"  # what was wanted is in whole percents, too
        lines.append(
            f"| {name} | {len(own)} | {before:,.0f} | {after:,.0f} | {saved:.0f} % | {wanted} % | {verdict} |"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure every log of the corpus and print, or write, the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="replace the table in this document")
    options = parser.parse_args()
    folders = sorted((corpus_place() / "logs").iterdir())
    text = table([measure(folder) for folder in folders])
    print(text)
    if options.write:
        head, _, _ = options.write.read_text("utf-8").partition("| stories |")
        options.write.write_text(head + text, "utf-8")


if __name__ == "__main__":
    main()
