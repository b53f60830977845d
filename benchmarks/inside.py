"""What is measured inside one process: growth of extraction and summary, by the environment's Python.

Started by run.py as `python -I -S inside.py SITE_PACKAGES WHAT ARGUMENT…`; prints one JSON object.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

_HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(_HERE), _HERE]
sys.path.append(sys.argv[1])


def extraction(path: str, rounds: str = "5") -> dict[str, Any]:
    """Return the least processor seconds that reading a log and extracting its learnings takes.

    Each round is a process of its own, without a search for cycles, as a hook is. In one process the second
    round of a small log would find all its lines in memories that a large log overflows.
    """
    gc.disable()
    found = [_apart(lambda: _extraction(path)) for _ in range(int(rounds))]
    return {name: min(each[name] for each in found) for name in found[0]}


def _extraction(path: str) -> dict[str, Any]:
    from progress_plugin.authored.reader import read_log  # noqa: PLC0415 - what each measures is what it loads
    from progress_plugin.learnings.extract import extract  # noqa: PLC0415
    from progress_plugin.learnings.merge import merge  # noqa: PLC0415

    with open(path, encoding="utf-8") as file:
        text = file.read()
    merge(
        extract(read_log("## US-1\n- Gotcha: a `b`", "").document, lambda _: (None, 0))
    )  # compile what is not yet
    begun = time.process_time()
    log = read_log(text, "progress.md")
    read = time.process_time()
    found = extract(log.document, log.owner_of_line, "progress.md")
    extracted = time.process_time()
    merged = merge(found)
    return {
        "bytes": len(text), "entries": len(log.events), "learnings": len(found), "merged": len(merged),
        "read": read - begun, "extract": extracted - read, "merge": time.process_time() - extracted,
    }  # fmt: skip


def _apart(measure: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return what a process of its own measures."""
    told, tell = os.pipe()
    child = os.fork()
    if not child:
        os.write(tell, json.dumps(measure()).encode())
        os._exit(0)
    os.close(tell)
    with open(told, "rb") as file:
        data = file.read()
    os.waitpid(child, 0)
    found: dict[str, Any] = json.loads(data)
    return found


def summary(root: str) -> dict[str, Any]:
    """Return processor seconds and figures of a summary made from nothing, written nowhere."""
    from progress_plugin.core.project import find_project  # noqa: PLC0415
    from progress_plugin.usecases.summarizing.summary_files import compose_for_this_call  # noqa: PLC0415

    begun = time.process_time()
    composed = compose_for_this_call(find_project(root))
    took = time.process_time() - begun
    return {
        "seconds": took,
        "stories": len(composed.history.stories),
        "before": composed.tokens_before,
        "after": composed.tokens_after,
    }


def memory(database: str, count: str) -> dict[str, Any]:
    """Return median and worst milliseconds of calls to a memory of so many rows, built for the purpose."""
    import resource  # noqa: PLC0415

    from memory_scale import build, measure  # noqa: PLC0415

    from progress_plugin.usecases.memory.location import MemoryLocation  # noqa: PLC0415

    build(database, int(count))
    found: dict[str, Any] = dict(measure(MemoryLocation(database=database, root="/shop", name="shop")))
    return {**found, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


if __name__ == "__main__":
    measured = {"extraction": extraction, "summary": summary, "memory": memory}[sys.argv[2]]
    print(json.dumps(measured(*sys.argv[3:])))
