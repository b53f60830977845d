"""Measure which facts a context states, made with the product's own head, frame and choice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from progress_plugin.model.work import Entry, Statement
from progress_plugin.selection.choose import choose_prepared
from progress_plugin.selection.frame import command_line, item_lines, other_plan_lines
from progress_plugin.selection.tokens import estimate_tokens
from training.selection.cases import Case, stated_facts

Weights = Mapping[str, float]
RECENT_ENTRIES = 3


@dataclass(frozen=True)
class Result:
    """What the contexts of some cases state."""

    recall: float
    by_kind: dict[str, float]
    median_characters: int

    def __str__(self) -> str:
        """Return one line."""
        kinds = " ".join(f"{kind} {share:.2f}" for kind, share in sorted(self.by_kind.items()))
        return f"{self.recall:.3f}  {kinds}  median {self.median_characters} characters"


def evaluate(cases: Sequence[Case], weights: Mapping[str, Weights], tokens: int) -> Result:
    """Return how much contexts of `tokens` state, each made with the weights for its name."""
    hits: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    sizes = []
    for case in cases:
        context = context_of(case, tokens, weights[case.name])
        sizes.append(len(context))
        for fact, is_stated in zip(case.facts, stated_facts(case.facts, context), strict=True):
            hits[fact.kind] += is_stated
            totals[fact.kind] += 1
    return Result(
        sum(hits.values()) / totals.total(),
        {kind: hits[kind] / total for kind, total in totals.items()},
        sorted(sizes)[len(sizes) // 2],
    )


def context_of(case: Case, tokens: int, weights: Weights | None = None) -> str:
    """Return the start context of a case: what is always shown, then the chosen statements."""
    always = _render(case, ())
    room = tokens - estimate_tokens(always)
    return _render(case, choose_prepared(case.statements, room, always.splitlines(), weights))


def _render(case: Case, chosen: Sequence[Statement]) -> str:
    log = case.logs[0]
    recent = {(log.path, entry.number): entry for entry in log.entries[-RECENT_ENTRIES:]}
    lines = [*_head(case), "## Key Learnings"]
    lines += [f"- {each.text}" for each in chosen if (each.source.path, each.entry) not in recent]
    lines.append("## Recent Context")
    for key, entry in reversed(recent.items()):
        lines.append(f"### {_title(case, entry)}")
        lines += [f"- {each.text}" for each in chosen if (each.source.path, each.entry) == key]
    return "\n".join([*lines, "---", "Auto-generated from prd.json, progress.md."])


def _head(case: Case) -> list[str]:
    state = case.state
    name = state.plans[0].plan.name if state.plans else case.name
    total = f"{state.done}/{state.total} complete" if state.total else f"{state.entries} entries logged"
    lines = [
        f"# Progress Summary: {name}",
        f"Last updated: {state.newest}",
        "## Completion Status",
        f"Stories: {total}",
    ]
    for label, work in (("Current", state.current), ("Next", state.next)):
        lines.append(f"{label}: {work.text if work else 'None'}")
        if work and work.item and label == "Current":
            lines += [f"- {line.text}" for line in item_lines(work.item)]
    lines += [f"- {step.text}" for step in state.steps[:3]]
    lines.append(f"Blocked: {'; '.join(work.text for work in state.blocked) or 'None'}")
    lines += [*state.conflicts, *(line.text for line in other_plan_lines(state.plans[1:]))]
    commands = command_line(case.statements)
    return [*lines, commands.text] if commands else lines


def _title(case: Case, entry: Entry) -> str:
    titles = {each.item.id: each.item.title for each in case.state.items}
    title = entry.title or next((titles[id_] for id_ in entry.ids if id_ in titles), "")
    name = ": ".join(filter(None, (", ".join(entry.ids[:2]), title)))
    return f"{name} ({entry.date})" if entry.date else name
