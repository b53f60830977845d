"""Make the weights of `worth/weights.py`, or measure how good such weights are on logs they have not seen.

    python -m training --logs DIR --labels DIR [--labels DIR ...] --evaluate [--folds N] [--apart DIR]
    python -m training --logs DIR --labels DIR ... --write

Logs and labels stand outside of the repository: DIR/NAME/ holds a log and its plan, NAME.json its facts.
`--apart DIR` keeps NAME.json with weights that have not seen NAME.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from training.cases import Case, read_cases
from training.evaluate import BASELINES, SIZES, baseline, chosen, unseen
from training.fit import Examples, examples_of, fit

_MODULE = Path(__file__).parent.parent / "progress_plugin" / "worth" / "weights.py"


def main() -> None:
    """Read the arguments, then measure or write."""
    parser = argparse.ArgumentParser(prog="python -m training", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--logs", type=Path, required=True, metavar="DIR")
    parser.add_argument("--labels", type=Path, action="append", required=True, metavar="DIR")
    parser.add_argument("--evaluate", action="store_true")
    parser.add_argument("--folds", type=int, default=0, help="instead of leaving out one log at a time")
    parser.add_argument("--apart", type=Path, metavar="DIR", help="keep the weights that have not seen a log")
    parser.add_argument("--write", action="store_true", help=f"write {_MODULE.name}")
    args = parser.parse_args()
    cases = read_cases(args.logs, args.labels)
    examples = [examples_of(case) for case in cases]
    if args.evaluate or args.apart:
        _evaluate(cases, examples, args)
    if args.write:
        _MODULE.write_text(_module(fit(examples), cases), encoding="utf-8", newline="\n")


def _evaluate(cases: list[Case], examples: list[Examples], args: argparse.Namespace) -> None:
    weights = unseen(examples, args.folds)
    if args.apart:
        args.apart.mkdir(parents=True, exist_ok=True)
        for name, own in weights.items():
            (args.apart / f"{name}.json").write_text(json.dumps(own), encoding="utf-8")
    for folder in args.labels:
        names = {file.stem for file in folder.glob("*.json")}
        some = [case for case in cases if case.name in names]
        print(f"{folder.name}: {len(some)} logs, {sum(len(case.facts) for case in some)} facts")
        result = chosen(some, weights)
        print(f"  chosen  {result}")
        smooth = sum(chosen(some, weights, size).recall for size in SIZES) / len(SIZES)
        print(f"  chosen, mean over sizes {SIZES[0]} to {SIZES[-1]}: {smooth:.3f}")
        print(f"  by log  {' '.join(f'{name} {told}' for name, (told, _) in result.logs.items())}")
        for kind in BASELINES:
            print(f"  {kind:7} {baseline(some, kind)}")


def _module(weights: dict[str, float], cases: list[Case]) -> str:
    facts = sum(len(case.facts) for case in cases)
    passages = sum(len(case.reading.passages) for case in cases)
    rows = "\n".join(f'    "{name}": {weight},' for name, weight in weights.items())
    return (
        '"""What each feature of a passage weighs. Made by `python -m training --write`, not by hand.\n\n'
        f"A logistic regression over {passages:,} passages of {len(cases)} logs, in which {facts} facts\n"
        "were labelled that the next agent needs. Figures only: no text of any log. How good they are on\n"
        "logs they have not seen, and how that was measured:\n"
        '`docs/extraction.md`.\n"""\n\nfrom __future__ import annotations\n\n'
        f"WEIGHTS: dict[str, float] = {{\n{rows}\n}}\n"
    )


if __name__ == "__main__":
    main()
