"""Plans that lie where plans are looked for and are not read, since they are called otherwise.

Whoever asks about the state of the work is told; session starts open no such files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from progress_plugin.core import known_paths
from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import LeadsOutside, scan_inside
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.model.story import Plan
from progress_plugin.plans.reader import read_plan
from progress_plugin.text.bounds import some_of
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.summarizing.sources import Sources, plan_paths

_NAME = LazyPattern(r"(?:.*[^a-z])?(?:prd|plan|feature|features|tasks|stories|backlog)(?:[^a-z].*)?\.json")
"""What a plan may be called by somebody: a word for plans is in it."""
_MOST = 20
"""Files of such names that are opened: a folder may be full of them."""


def unread_plans(sources: Sources) -> list[str]:
    """Return which plans are not read, with what to do: that of the branch in a sentence of its own."""
    found = list(_found(sources))
    own = [plan for plan in found if plan.branch and plan.branch == sources.branch]
    told = [_sentence([plan], f" of the branch {one_line(plan.branch or '')}") for plan in own]
    others = [plan for plan in found if plan not in own]
    return [*told, _sentence(others)] if others else told


def _sentence(plans: Sequence[Plan], of_branch: str = "") -> str:
    paths = some_of([one_line(plan.path) for plan in plans])
    if len(plans) > 1:
        remedy = "call one prd.json, or set its path by `agent-progress config set plan`"
        return f"{paths}: plans that are not read, because of their names; {remedy}"
    remedy = "call it prd.json, or set its path by `agent-progress config set plan`"
    return f"{paths}: a plan{of_branch} that is not read, because of its name; {remedy}"


def _found(sources: Sources) -> Iterator[Plan]:
    inputs = InputSnapshot(sources.project.root)
    known = {*plan_paths(inputs, sources.settings.plan), *(plan.path for plan in sources.plans)}
    for path in list(_candidates(sources.project.root, known))[:_MOST]:
        try:
            plan = read_plan(path, inputs.read(path) or b"", inputs.read)
        except BadInput:
            continue  # nobody has called it a plan
        if plan is not None and plan.stories:
            yield plan


def _candidates(root: str, known: set[str]) -> Iterator[str]:
    for folder in sorted({path.rpartition("/")[0] for path in known_paths.PLANS}):
        try:
            names = [name for name, is_link in scan_inside(root, folder or ".") if not is_link]
        except LeadsOutside:
            continue
        for name in sorted(names):
            path = f"{folder}/{name}" if folder else name
            if path not in known and _NAME.fullmatch(name.casefold()):
                yield path
