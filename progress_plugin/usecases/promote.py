"""Learnings that proved themselves, written where every agent reads them: AGENTS.md.

Without being asked it runs after a summary is written (`usecases.summarizing.summary_files`).

Which learnings that are is decided here (`_chosen`), how often one must be recorded, in `config.settings`
(`PROMOTED`).
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from progress_plugin.config.settings import PROMOTED
from progress_plugin.core.errors import BadInput, Busy
from progress_plugin.core.files import read_inside, write_atomic
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot, Stamp, stamp_of
from progress_plugin.model.learning import Learning, LearningKind
from progress_plugin.text.managed_block import with_block
from progress_plugin.text.safe_output import item
from progress_plugin.usecases.summarizing.gather import gather
from progress_plugin.usecases.summarizing.sources import read_sources

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


class Promoted(NamedTuple):
    """What may be promoted, and what was."""

    path: str
    learnings: tuple[Learning, ...]
    """In the order of the block."""
    changes: bool
    """Whether the file does not say just that."""
    applied: bool


def promote(project: Project, *, every: bool, apply: bool) -> Promoted:
    """Find the patterns, or with `every` all learnings, recorded 3 times or more; with `apply` write them.

    Only the block of ours in `AGENTS.md` is written; without anything to promote it is removed. Raises
    Refused for a link that leads out of the project, BadInput for a file or a block that cannot be read,
    AgentProgressError where it cannot be written or was changed meanwhile.
    """
    made = _promotion(
        project, gather(read_sources(project, InputSnapshot(project.root))).learnings, every=every
    )
    if apply and made.changes and not made.write():
        raise Busy(f"{made.path} was changed meanwhile; nothing was written, try again")
    return Promoted(made.path, made.chosen, changes=made.changes, applied=apply and made.changes)


class Promotion(NamedTuple):
    """The block as it is to be, made of the file as it was read."""

    project: Project
    chosen: tuple[Learning, ...]
    text: str
    """The whole file."""
    changes: bool
    before: Stamp

    @property
    def path(self) -> str:
        """Return the path of the file."""
        return self.project.path(FILE)

    def write(self) -> bool:
        """Write the file if its block changes; return False if another program changed it meanwhile."""
        if stamp_of(self.path) != self.before:
            return False
        if self.changes:
            _write(self.project, self.path, self.text)
        return True


def promotion(project: Project, learnings: Iterable[Learning]) -> Promotion:
    """Return the block up to date, with all learnings if it has all now. Raises as `promote`."""
    return _promotion(project, learnings, every=None)


def _promotion(project: Project, learnings: Iterable[Learning], *, every: bool | None) -> Promotion:
    before = stamp_of(project.path(FILE))
    text = _read(project)
    if every is None:
        every = f"<!-- agent-progress: {_LABELS[True]} -->" in text
    chosen = tuple(_chosen(learnings, every=every))
    after = _with_block(project, text, chosen, every=every)
    return Promotion(project, chosen, after, after != text, before)


def _with_block(project: Project, text: str, chosen: Sequence[Learning], *, every: bool) -> str:
    try:
        return with_block(text, _LABELS[every], list(_lines(chosen)))
    except BadInput as error:
        raise BadInput(f"{project.path(FILE)}: {error}") from None


def _chosen(learnings: Iterable[Learning], *, every: bool) -> Iterator[Learning]:
    """Yield them by kind and text: their figures change with every entry, and a tracked file should not."""
    often = [learning for learning in learnings if learning.mentions >= PROMOTED]
    for kind in HEADINGS if every else (LearningKind.PATTERN,):
        yield from sorted(
            (each for each in often if each.kind is kind), key=lambda each: each.text.casefold()
        )


def _lines(learnings: Sequence[Learning]) -> Iterator[str]:
    if not learnings:
        return
    yield "## Learnt in this repository"
    for kind, heading in HEADINGS.items():
        texts = [learning.text for learning in learnings if learning.kind is kind]
        if texts:
            yield from ("", f"### {heading}", "", *(f"- {item(text)}" for text in texts))


def _read(project: Project) -> str:
    path = project.path(FILE)
    try:
        return (read_inside(project.root, path) or b"").decode("utf-8")
    except UnicodeDecodeError:
        raise BadInput(f"{path}: not valid UTF-8; save the file as UTF-8") from None


def _write(project: Project, path: str, text: str) -> None:
    if text or os.path.islink(path):
        write_atomic(path, text.encode(), root=project.root)
    else:
        os.unlink(path)  # there was nothing in it but our block
