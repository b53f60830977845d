"""Which plan and which story a name means, and when two readings are of one plan or story.

When the file at a plan's path is another plan is decided here, too (`is_another`).
"""

from __future__ import annotations

import posixpath
import re
from binascii import crc32
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from progress_plugin.model.story import Plan, Story
from progress_plugin.plans import agent_os
from progress_plugin.text import normalise_title
from progress_plugin.text.patterns import LazyPattern

if TYPE_CHECKING:
    from progress_plugin.plans.baseline import Baseline

_SPEC_FOLDERS = ("specs", "prds")
normalised = normalise_title.normalised
_OPAQUE = LazyPattern(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,64}", re.IGNORECASE)
_BRIEF = 8
_ZEROS = LazyPattern(r"(?<!\d)0+(?=\d)")
_NAMED = LazyPattern(
    r"(?P<unit>#|\b(?:stor(?:y|ies)|tasks?|features?|tickets?|issues?|bugs?|shots?)\s+#?)?"
    r"(?P<name>(?<![\w.-])[^\W_][\w.-]*)",
    re.IGNORECASE,
)
"""A word that may be an id, and what says that a number is one."""
_ALIKE, _NEAR = 0.7, 3
"""How like ids are that are proposed for one that nobody knows, and how many of them."""


def title_mark(title: str) -> str:
    """Return four characters that two titles share only if they are equal but for form, or by rare chance."""
    return f"{crc32(normalised(title).encode('utf-8', 'replace')) & 0xFFFF:04x}"


def story_key(story: Story) -> str:
    """Return what a story is known by from one reading of its plan to the next.

    That is its id, but its title where the plan gives none: a position moves with every story put before it.
    """
    return f"title:{normalised(story.title)}" if story.positional else story.id


def brief(story: str) -> str:
    """Return what an id needs to be known again: of a UUID or a hash its first eight characters."""
    return story[:_BRIEF] if _OPAQUE.fullmatch(story) else story


def ids_named(text: str, ids: Iterable[str]) -> list[str]:
    """Return which of some ids a label names, each as a whole word; a mere number is no id."""
    words = {
        found["name"].rstrip(".-").casefold()
        for found in _NAMED.finditer(text)
        if found["unit"] or not found["name"].isdigit()
    }
    return [name for name in ids if name.casefold() in words]


def names_plan(plan: Plan, text: str) -> bool:
    """Return whether a spec or branch name means ``plan``: its path, name, branch, or folder without date."""
    return normalised(text) in names_of(plan)


def story_named(plan: Plan, text: str) -> Story | None:
    """Return the story a text names: by its id, by its title, or by both; never by likeness."""
    wanted = normalised(text)
    for story in plan.stories:
        names = [story.title, f"{story.id} {story.title}"] + ([] if story.positional else [story.id])
        if wanted and wanted in map(normalised, names):
            return story
    first = text.strip().split(maxsplit=1)[:1]
    ids = {
        story.id.casefold(): story
        for story in plan.stories
        if not story.positional and not story.id.isdigit()
    }
    return ids.get(first[0].strip(":.,-[]()").casefold()) if first else None


def may_concern(plan: Plan, spec: str | None) -> bool:
    """Return whether an entry with this ``spec`` can be about ``plan``.

    Agent OS numbers the tasks of every spec from 1, so there the spec must fit; elsewhere it is free text.
    """
    return spec is None or plan.format != agent_os.FORMAT or names_plan(plan, spec)


def names_of(plan: Plan) -> set[str]:
    """Return the names, normalised, by which a spec or branch name may mean a plan."""
    folder = posixpath.dirname(plan.path)
    known = [plan.path, plan.name or "", plan.branch or "", (plan.branch or "").rpartition("/")[2]]
    if posixpath.basename(posixpath.dirname(folder)) in _SPEC_FOLDERS:
        known += [posixpath.basename(folder), agent_os.spec_of(plan.path)]
    return {normalised(name) for name in known} - {""}


def is_another(old: Baseline, plan: Plan) -> bool:
    """Return whether a plan has taken the place of the one that was seen at its path."""
    if old.branch and plan.branch and old.branch != plan.branch:
        return True
    if not old.titles:  # none are kept by older versions
        return False
    return are_others(old.titles, titles_of(plan))


def are_others(before: Mapping[str, str], now: Mapping[str, str]) -> bool:
    """Return whether titles by id are those of two plans: most of what both name is called otherwise.

    A single title that was put in other words is still the same story, unless no word of it is left.
    """
    shared = [name for name in before if name in now and before[name] and now[name]]
    if not shared:
        return bool(before) and bool(now) and not before.keys() & now.keys()
    if len(shared) == 1:
        return not set(before[shared[0]].split()) & set(now[shared[0]].split())
    return 2 * sum(before[name] != now[name] for name in shared) > len(shared)


def titles_of(plan: Plan) -> dict[str, str]:
    """Return the normalised title of every story of a plan by its identity; the first of two counts."""
    found: dict[str, str] = {}
    for story in plan.stories:
        found.setdefault(story_key(story), normalised(story.title))
    return found


def called_alike(name: str, known: Iterable[str]) -> list[str]:
    """Return the ids that differ from a name in zeros alone, else those spelt alike; all are in one case."""
    from difflib import get_close_matches  # noqa: PLC0415 - only for a story that nobody knows

    ids = list(known)
    same = [each for each in ids if _ZEROS.sub("", each) == _ZEROS.sub("", name)]
    return same or get_close_matches(name, ids, n=_NEAR, cutoff=_ALIKE)
