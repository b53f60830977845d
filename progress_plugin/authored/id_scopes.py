"""Know the plan, or the part of the work, that stands behind an id and that its number counts in.

`US-003 (waterwheel PRD)`, `Shot 2 (quay) - title`: another plan has the same ids, and so other stories.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from progress_plugin.authored.heading import Heading
from progress_plugin.text.normalise_title import normalised
from progress_plugin.text.patterns import LazyPattern

_PLAN = LazyPattern(r"\b(?:prd|plan|spec|epic|milestone|project|roadmap)\b", re.IGNORECASE)
"""A word that says that the others are the name of a plan."""
_FEWEST = 2
"""Pairs of entries with one id, other tags and other titles, from which tags that name no plan count, too."""
_SEPARATORS = " \t-–—:："


def scopes_of(headings: Sequence[Heading]) -> frozenset[str]:
    """Return the tags that tell stories of one id apart, in lower case; a mere `(retry)` does not."""
    if not any(heading.tag for heading in headings):
        return frozenset()
    last: dict[str, Heading] = {}
    plans: set[str] = set()
    unlike: list[str] = []
    alike = 0
    for heading in headings:
        for name in heading.ids:
            before = last.get(name)
            last[name] = heading
            if before is None or before.tag == heading.tag:
                continue
            tags = [each.tag for each in (before, heading) if each.tag]
            plans |= {tag for tag in tags if _PLAN.search(tag)}
            if (shares := _share_words(before, heading)) is False:
                unlike += tags
            alike += shares is True
    count = len(unlike) > _FEWEST and len(unlike) > 2 * alike
    named = {heading.tag for heading in headings if heading.tag} if count else plans
    return frozenset(tag.casefold() for tag in named)


def _share_words(one: Heading, other: Heading) -> bool | None:
    """Return whether the titles behind the tags share a word, None where one of them has none."""
    words, others = ({*normalised(title_in_scope(each) or "").split()} for each in (one, other))
    return bool(words & others) if words and others else None


def title_in_scope(heading: Heading) -> str | None:
    """Return the title of a heading without the tag before it; None where there is nothing else."""
    title = heading.title or ""
    if title.casefold() == heading.tag.casefold():
        return None
    return title.removeprefix(f"({heading.tag})").lstrip(_SEPARATORS) or None
