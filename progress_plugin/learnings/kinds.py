"""Tell patterns, gotchas and dependencies apart by what they say (S7.1)."""

from __future__ import annotations

import re

from progress_plugin.model.learning import Kind

_GOTCHA = re.compile(
    r"\b(?:must(?:n't| not)?|never|cannot|can't|can not|don't|do not|doesn't|does not|didn't|won't|will not|isn't|"
    r"aren't|wasn't|shouldn't|should not|not|fail(?:s|ed|ing|ure|ures)?|break(?:s|ing)?|broke|broken|crash\w*|"
    r"careful|beware|watch out|warning|caution|gotcha|pitfall|caveat|trap|important|critical|crucial|fragile|brittle|"
    r"wrong|incorrect\w*|silently|unexpected\w*|surpris\w*|subtle|tricky|confus\w*|misleading|otherwise|instead of|"
    r"workaround|work around|avoid|deprecated|missing|lacks?|limitation|limited|conflict\w*|collision|race|deadlock|"
    r"hang(?:s|ing)?|leak\w*|flaky|stale|error\w*|unless|only works|even though|even if|despite|however|ignor\w*|"
    r"bug|issue|problem\w*|challenging|ambigu\w*|false positives?|requires?|required|need(?:s|ed)?(?: to)?|have to|has to|"
    r"no longer|without|before|order matters|remember|else|too|strip\w*|overrid\w*|overwrit\w*|shadow\w*|"
    r"hardcod\w*|rejects?|throws?|timeouts?|crucially|unlike|but)\b|⚠|🚨|❗|注意|警告|必须|不能|不要|否则|避免|务必|陷阱|"
    r"根因|长尾|しない|注意|必ず|должн|нельзя|nie\b|nicht\b|müssen|muss\b|nunca|debe|deve\b|não\b|jamais|doit",
    re.IGNORECASE,
)
_STORY = r"(?:[A-Z]{2,}-\d+[A-Z]?|(?:story|ticket|task|feature|issue) #?[\w.-]*\d[\w.-]*|[0-9a-f]{8})"
_DEPENDENCY = re.compile(
    rf"\b(?:depends? on|dependent on|dependency (?:on|of)|relies on|builds? on|based on|requires?|needs|blocked by|"
    rf"waits? for|prerequisite|unblocks?|blocks|must (?:come|be done|run|land) (?:before|after)|follows|foundation for|"
    rf"work order for|needed (?:by|for)|used by|consumed by|before|after)\b.{{0,60}}?\b{_STORY}|"
    rf"\b{_STORY}\b.{{0,40}}\b(?:depends? on|builds? on|relies on|requires|blocks|unblocks|needs)\b",
)


def kind_of(text: str, label: Kind | None) -> Kind:
    """Return the kind of a learning; what its label says decides, unless the text contradicts it.

    A story that needs another one is a dependency under any label; a label that covers everything leaves
    the choice to the words: what goes wrong, must be or must not be is a gotcha, the rest is a pattern.
    """
    if label is Kind.DEPENDENCY or _DEPENDENCY.search(text):
        return Kind.DEPENDENCY
    if label is Kind.GOTCHA or _GOTCHA.search(text):
        return Kind.GOTCHA
    return Kind.PATTERN
