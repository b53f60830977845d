"""Find the warnings that are outside of any section: `Gotcha: text`, or a rule in capitals.

What is under a heading or label that teaches is found in `learnings.label_scopes` (`Scopes.states`);
which words make advice or a record, in `learnings.advice`.
"""

from __future__ import annotations

import re

from progress_plugin.learnings.advice import advises, is_record, lays_down
from progress_plugin.learnings.non_learnings import is_decoy, is_status
from progress_plugin.model.learning import LearningKind
from progress_plugin.text.labels import plain, undecorated
from progress_plugin.text.patterns import LazyPattern

_WARNING = (
    r"gotcha|warning|careful|caution|caveat|pitfall|beware|watch out|heads[ -]up|important|critical|"
    r"attention|trap|注意|警告|陷阱|重要|ハマりどころ|주의|внимание|важно|осторожно|cuidado|aviso|"
    r"importante|advertencia|achtung|wichtig|vorsicht|warnung|piège"
)
_LESSON = (
    r"(?:key |important |critical )?(?:learned|lesson learned|lesson|learning|insight|takeaway)|til|"
    r"(?:pro )?tip|"
    r"教训|经验|教訓|교훈|leçon"
)
_REMARK = r"note|nb|n\.b\.|nota|hinweis|remarque"
_INLINE = LazyPattern(
    r"(?:\[[^\]]{8,40}\]\s*)?[^\w`\"'(\[*]{0,8}(?P<bold>(?:\*\*|__)\s?)?[^\w`]{0,8}"
    rf"(?:(?P<warning>(?:{_WARNING})s?)|(?P<lesson>(?:{_LESSON})s?)|(?P<remark>(?:{_REMARK})s?))"
    r"(?:\s*\([^)]*\))?\s*(?P<inner>[:：])?\s*(?(bold)(?:\*\*|__))\s*(?(inner)|[:：])\s*(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
_SIGNS = ("⚠", "🚨", "❗", "⛔")
_NEAR = 60
"""Characters within which the colon of a warning is."""


def warning_in(text: str) -> tuple[str, LearningKind | None] | None:
    """Return the warning a text holds without its label, and the kind the label gives; None without any."""
    lead = text[:_NEAR]
    found = _INLINE.match(text) if ":" in lead or "：" in lead else None
    if found:
        return _labelled(found)
    signed = text.startswith(_SIGNS) and advises(text)
    if (signed or lays_down(text)) and not is_status(plain(text)):
        return undecorated(text), LearningKind.GOTCHA
    return None


def unlabelled(text: str) -> str:
    """Return what a text says behind `Gotcha:`, `Note:` and the like; the text where it has no such label."""
    lead = text[:_NEAR]
    found = _INLINE.match(text) if ":" in lead or "：" in lead else None
    return found["rest"].strip() if found else text


def _labelled(found: re.Match[str]) -> tuple[str, LearningKind | None] | None:
    rest = found["rest"].strip()
    if is_decoy(rest) or is_record(rest) or (found["remark"] and not advises(rest)):
        return None
    return rest, LearningKind.GOTCHA if found["warning"] else None
