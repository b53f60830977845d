"""Learnings that proved themselves, written into AGENTS.md, which every agent reads."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from progress_plugin.config.settings import PROMOTED
from progress_plugin.core.errors import BadInput, Busy
from progress_plugin.core.files import read_inside, write_atomic
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import Stamp, stamp_of
from progress_plugin.model.learning import LearningKind
from progress_plugin.model.work import Learning
from progress_plugin.selection.merge import Merged
from progress_plugin.text.managed_block import with_block
from progress_plugin.text.safe_output import item
from progress_plugin.usecases.reading import read_project

FILE = "AGENTS.md"
HEADINGS = {
    LearningKind.PATTERN: "Repository Patterns",
    LearningKind.GOTCHA: "Gotchas & Warnings",
    LearningKind.DEPENDENCY: "Dependencies Discovered",
}
_LABELS = {
    False: "patterns, made by `agent-progress promote`; edits inside are lost",
    True: "all learnings, made by `agent-progress promote --all`; edits inside are lost",
}


@dataclass(frozen=True, slots=True)
class Promotion:
    """The block as it is to be, made from the file as it was read."""

    project: Project
    learnings: tuple[Merged[Learning], ...]  # in the order of the block
    text: str  # of the whole file
    is_change: bool
    before: Stamp

    @property
    def path(self) -> str:
        """The path of the file."""
        return self.project.path(FILE)

    def write(self) -> bool:
        """Write the file if its block changes; return False if another program changed it meanwhile."""
        if stamp_of(self.path) != self.before:
            return False
        if self.is_change and (self.text or os.path.islink(self.path)):
            write_atomic(self.path, self.text.encode(), root=self.project.root)
        elif self.is_change:
            os.unlink(self.path)  # there was nothing in it but our block
        return True


def promote(project: Project, *, every: bool, apply: bool) -> Promotion:
    """Find the patterns, or with `every` all learnings, recorded 3 times or more; with `apply` write them.

    Only our block in `AGENTS.md` is written; without anything to promote it is removed. Raises Refused for a
    link that leads out of the project, BadInput for a file or block that cannot be read, Busy if the file was
    changed meanwhile, AgentProgressError if it cannot be written.
    """
    made = promotion(project, read_project(project).facts.learnings, every=every)
    if apply and made.is_change and not made.write():
        raise Busy(f"{made.path} was changed meanwhile; nothing was written, try again")
    return made


def promotion(
    project: Project, learnings: Iterable[Merged[Learning]], *, every: bool | None = None
) -> Promotion:
    """Return the block up to date. With `every` left out it has all learnings if it has all now."""
    before = stamp_of(project.path(FILE))
    text = _read(project)
    if every is None:
        every = f"<!-- agent-progress: {_LABELS[True]} -->" in text
    chosen = tuple(_chosen(learnings, every=every))
    try:
        after = with_block(text, _LABELS[every], list(_lines(chosen)))
    except BadInput as error:
        raise BadInput(f"{project.path(FILE)}: {error}") from None
    return Promotion(project, chosen, after, after != text, before)


def _chosen(learnings: Iterable[Merged[Learning]], *, every: bool) -> Iterator[Merged[Learning]]:
    """Yield them by kind and text: how often they are mentioned changes, and a tracked file should not."""
    often = [each for each in learnings if each.mentions >= PROMOTED]
    for kind in HEADINGS if every else (LearningKind.PATTERN,):
        of_kind = [each for each in often if each.statement.kind is kind]
        yield from sorted(of_kind, key=lambda each: each.statement.text.casefold())


def _lines(learnings: Sequence[Merged[Learning]]) -> Iterator[str]:
    if not learnings:
        return
    yield "## Learnt in this repository"
    for kind, heading in HEADINGS.items():
        texts = [each.statement.text for each in learnings if each.statement.kind is kind]
        if texts:
            yield from ("", f"### {heading}", "", *(f"- {item(text)}" for text in texts))


def _read(project: Project) -> str:
    path = project.path(FILE)
    try:
        return (read_inside(project.root, path) or b"").decode("utf-8")
    except UnicodeDecodeError:
        raise BadInput(f"{path}: not valid UTF-8; save the file as UTF-8") from None
