"""Know the headings that mark the course of a run, and are no pieces of work."""

from __future__ import annotations

import re

from progress_plugin.authored.entry import EntryCandidate
from progress_plugin.authored.heading import Heading
from progress_plugin.text.labels import plain, undecorated
from progress_plugin.text.markdown import Block, BlockKind
from progress_plugin.text.patterns import LazyPattern

# Whatever id is beside it.
_NEVER = LazyPattern(
    r"(?:context (?:was )?(?:compacted|compaction|reset|rotation|cleared)|(?:story|task) analysis|"
    r"(?:auto-?)?compact(?:ed|ion)|(?:session|iteration) (?:started|ended|timeout|timed out))[.!]*$",
    re.IGNORECASE,
)
# Without an id: what sums up, or says only that something began or ended.
_WHOLE = (
    r"(?:the )?(?:project|mission|prd|epic|run|loop|iteration|session|phase|sprint|all stories|all tasks|"
    r"all features|everything|final|overall|current|progress)"
)
_STATE = (
    r"(?:status|complete[d]?|done|finished|summary|timeout|timed out|started|ended|start|end|log|history|"
    r"overview|report|state|progress)"
)
_SUMMARY = LazyPattern(
    rf"{_WHOLE}\s*+(?:is |are |was )?[:–—-]?\s*+(?:\(.*\)\s*+)?{_STATE}\b(?:.{{0,24}}|\s*[:–—-]\s.*)$|"
    r"(?:previous )?iteration review.*|(?:final|status|epic|progress|project) (?:status|summary|report|"
    r"update)\b.*|(?:epic|prd|sprint) (?:summary|status)\b.*|context summary|analysis$|(?:status|summary|"
    r"overview|log|history|timeout|changelog|progress|next steps?|notes?|blockers?|metrics|statistics|"
    r"milestones?|checkpoint|complete[d]?|date|time|started|created|updated|last updated|timestamp|总结|"
    r"概述|状态|resumen|zusammenfassung|résumé|resumo|итог\w*|まとめ|요약)[.!]*$",
    re.IGNORECASE,
)
_PHASE = LazyPattern(
    r"(?:phase|mission|milestone|stage|fase|阶段|フェーズ)\s*(?:\d|[ivx]+\b|complete)", re.IGNORECASE
)
_RUNNER = LazyPattern(
    r"\W*(?:session|iteration|run|agent|loop)\b.{0,16}\b(?:start|end|timeout|timed out|terminat|rotat|"
    r"stopp|resum)|\W*(?:reason\W+)?timeout reached|\W*context (?:compact|rotat|reset)",
    re.IGNORECASE,
)
_SHORT = 4
"""Blocks that a mark of the runner has at most."""


def is_run_marker(heading: Heading) -> bool:
    """Return whether a title sums up or marks a run, and names no work."""
    if not heading.title:
        return False
    one = len(heading.ids) == 1  # `US-001 to US-005: summary` sums up, `US-003: metrics` is a story
    return bool(_NEVER.match(heading.title)) or (not one and bool(_SUMMARY.match(heading.title)))


def is_phase(title: str | None) -> bool:
    """Return whether a title counts the phases of a plan."""
    return bool(title and _PHASE.match(title))


def is_runner_marker(blocks: tuple[Block, ...], candidate: EntryCandidate) -> bool:
    """Return whether an entry without id only says that a session began, ended or was cut off."""
    if candidate.heading.ids:
        return False
    body = []
    for block in blocks[candidate.index + 1 : candidate.index + 2 + _SHORT]:
        if block.kind is BlockKind.HEADING:
            if block.level > candidate.level:
                return False
            break
        if block.kind is not BlockKind.RULE:
            body.append(block)
    if not body:
        return not candidate.heading.title
    return len(body) <= _SHORT and bool(_RUNNER.match(undecorated(plain(body[0].text))))
