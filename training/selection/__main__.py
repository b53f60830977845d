"""Write `progress_plugin/selection/weights.json`, or measure weights on logs that they were not fitted to.

    python -m training.selection --logs DIR --labels DIR [--folds N] [--write]

Logs and labels are kept outside of the repository: DIR/NAME/ is a project with a log, NAME.json its facts.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from progress_plugin.selection import score
from training.selection.cases import read_cases
from training.selection.evaluate import evaluate
from training.selection.fit import examples_of, fit, fit_unseen

WEIGHTS_FILE = Path(score.__file__).with_name("weights.json")
SIZES = (700, 1000, 1150, 1350, 2000)  # tokens


def main() -> int:
    """Measure, and write the weights if asked to."""
    parser = argparse.ArgumentParser(
        prog="python -m training.selection", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--logs", type=Path, required=True, metavar="DIR")
    parser.add_argument("--labels", type=Path, required=True, metavar="DIR")
    parser.add_argument("--folds", type=int, default=28)
    parser.add_argument("--write", action="store_true", help=f"write {WEIGHTS_FILE.name}")
    args = parser.parse_args()
    cases = read_cases(args.logs, args.labels)
    if not cases:
        print(f"SKIPPED: no labelled logs in {args.labels} and {args.logs}", file=sys.stderr)
        return 1
    examples = [examples_of(case) for case in cases]
    unseen = fit_unseen(examples, args.folds)
    needs = sum(len(case.needs) for case in cases)
    print(f"{len(cases)} logs, {needs} facts, each log with weights that were fitted to the others:")
    for tokens in SIZES:
        print(f"  {tokens} tokens: {evaluate(cases, unseen, tokens)}")
    if args.write:
        WEIGHTS_FILE.write_text(
            json.dumps(fit(examples), indent=0, ensure_ascii=False) + "\n", encoding="utf-8"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
