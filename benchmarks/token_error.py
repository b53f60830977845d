"""Measure the token estimate against real vocabularies, and print the table of docs/tokens.md.

    npm install --prefix DIR gpt-tokenizer
    python benchmarks/token_error.py DIR

The vocabularies come with that npm package: nothing else is fetched. Real logs and plans are read where
the corpus is (`AGENT_PROGRESS_CORPUS`, else `../shared/corpus`), but for those set aside; the samples
of other scripts are ours.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import sysconfig
from pathlib import Path

from progress_plugin.summary.tokens import estimate
from progress_plugin.text.decode import decode

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "tests" / "summary" / "token_samples.json"
HELD_OUT = ROOT / "tests" / "corpus" / "held_out.txt"
VOCABULARIES = ("o200k_base", "cl100k_base")
STDLIB = (
    "argparse.py",
    "calendar.py",
    "heapq.py",
    "json/decoder.py",
    "shutil.py",
    "smtplib.py",
    "tarfile.py",
)
LINES = 25
"""Lines of a part: about as long as a summary's section."""
COUNT = """
import { createRequire } from "module";
import fs from "fs";
const require = createRequire(process.argv[1] + "/");
const options = { allowedSpecial: new Set(), disallowedSpecial: new Set() };
const [texts, names] = JSON.parse(fs.readFileSync(0));
const vocabularies = names.map((name) => require(`gpt-tokenizer/encoding/${name}`));
console.log(JSON.stringify(texts.map((text) => vocabularies.map((each) => each.countTokens(text, options)))));
"""


def corpus_texts() -> list[str]:
    corpus = Path(os.environ.get("AGENT_PROGRESS_CORPUS") or ROOT.parent / "shared" / "corpus")
    if not (corpus / "index.json").is_file():
        sys.stderr.write("THE CORPUS IS NOT HERE: only our own samples are measured\n")
        return []
    held_out = {line for line in HELD_OUT.read_text("utf-8").splitlines() if line and line[0] != "#"}
    files = [
        path for part in ("logs", "plans") for path in sorted((corpus / part).rglob("*")) if path.is_file()
    ]
    kept = [path for path in files if not held_out & set(path.parts)]
    texts = [decode(path.read_bytes(), path.name) for path in kept]
    return [text for text in texts if len(text) > 300]


def parts(texts: list[str]) -> list[str]:
    split = [text.splitlines(keepends=True) for text in texts]
    joined = ["".join(lines[at : at + LINES]) for lines in split for at in range(0, len(lines), LINES)]
    return [part for part in joined if len(part) > 200]


def groups() -> dict[str, list[str]]:
    whole = corpus_texts()
    library = Path(sysconfig.get_paths()["stdlib"])
    measured = {"logs and plans, whole": whole, f"the same in parts of {LINES} lines": parts(whole)}
    measured["Python's own modules"] = [(library / name).read_text("utf-8") for name in STDLIB]
    for sample in json.loads(SAMPLES.read_text("utf-8")):
        measured[f"sample: {sample['name']}"] = [sample["text"]]
    return {name: texts for name, texts in measured.items() if texts}


def counted(texts: list[str], place: str) -> list[list[int]]:
    node = ["node", "--input-type=module", "--eval", COUNT, os.path.abspath(place)]
    done = subprocess.run(
        node, input=json.dumps([texts, VOCABULARIES]), capture_output=True, text=True, check=True
    )
    answer: list[list[int]] = json.loads(done.stdout)
    return answer


def row(name: str, texts: list[str], counts: list[list[int]], vocabulary: int) -> str:
    errors = sorted(estimate(text) / count[vocabulary] - 1 for text, count in zip(texts, counts, strict=True))
    sizes = sorted(abs(error) for error in errors)
    most = sizes[int(0.95 * (len(sizes) - 1))]
    figures = (f"{statistics.median(sizes):.1%}", f"{most:.1%}", f"{errors[0]:+.0%}", f"{errors[-1]:+.0%}")
    return f"| {' | '.join((name, str(len(texts)), VOCABULARIES[vocabulary], *figures))} |"


def main(place: str) -> None:
    print("| text | texts | vocabulary | median error | 95 % are within | lowest | highest |")
    print("|---|---|---|---|---|---|---|")
    for name, texts in groups().items():
        counts = counted(texts, place)
        for vocabulary in range(len(VOCABULARIES)):
            print(row(name, texts, counts, vocabulary))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])
