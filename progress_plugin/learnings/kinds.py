"""Tell patterns, gotchas and dependencies apart by what they say (S7.1)."""

from __future__ import annotations

import re

from progress_plugin.model.learning import Kind

# What goes wrong. Under a label that promises patterns only these words make a gotcha.
_HARM = (
    r"never|cannot|can't|can not|don't|do not|doesn't|does not|didn't|won't|will not|isn't|aren't|wasn't|shouldn't|"
    r"should not|must not|fail(?:s|ed|ing)?|breaks?|breaking|broke|broken|crash(?:es|ed)|careful|beware|watch out|"
    r"gotcha|pitfall|caveat|trap|critical|crucial|fragile|brittle|wrong(?:ly)?|incorrect\w*|silent(?:ly)?|"
    r"unexpected\w*|surpris\w*|subtle|tricky|confus\w*|mislead\w*|otherwise|workaround|work around|deprecated|"
    r"lacks?|conflicts?|deadlocks?|hangs?|leaks?|flaky|stale|unless|even though|even if|ignor(?:es|ed)|"
    r"no longer|order matters|throws|rejects|corrupts?|timeouts?|ambigu\w*|false positives?|challenging|bug|too"
)
# What has to be done or is in the way: a gotcha where the label leaves it open.
_DUTY = (
    r"must|avoid|requires|required for|required to|have to|has to|not|limitations?|workarounds?|missing|unlike|"
    r"however|remember|carefully|race|collisions?|errors out|problem(?:s|atic)?"
)
_SIGNS = r"⚠|🚨|❗|注意|警告|必须|不能|不要|否则|避免|务必|陷阱|根因|长尾|问题|しない|注意|必ず|должн|нельзя"
_WORDS = (
    r"nicht|müssen|muss|nie|nunca|debe|hay que|deve|não|jamais|doit|ne pas"
)
_HARMFUL = re.compile(rf"\b(?:{_HARM})\b|{_SIGNS}|\b(?:{_WORDS})\b", re.IGNORECASE)
_GOTCHA = re.compile(rf"\b(?:{_HARM}|{_DUTY})\b|{_SIGNS}|\b(?:{_WORDS})\b", re.IGNORECASE)
_NO_NEED = re.compile(
    r"\b(?:no need (?:to|for)|(?:is |are )?not (?:needed|necessary|required)|(?:don't|doesn't|does not|do not) need|"
    r"no \w+(?: \w+){0,3} (?:needed|required|necessary)|not (?:just|only)|does not require|doesn't require|if not|"
    r"or not|whether or not|not found|error handling)\b",
    re.IGNORECASE,
)
_STORY = re.compile(r"\b[A-Z]{2,}-\d{1,4}[A-Z]?\b|\b(?i:story|ticket|task|feature) #?\d[\w.-]*")
_CODE = re.compile(r"`[^`]*`")
_RELIES = re.compile(
    r"\b(?:depends on|depend on|dependent on|builds on|relies on|blocked by|prerequisite (?:for|of)|"
    r"must (?:come|be done|run|land) (?:before|after)|should be done (?:before|after)|requires \w+ to be done)\b|依赖|依存",
    re.IGNORECASE,
)


def kind_of(text: str, label: Kind | None, story: str | None = None) -> Kind:
    """Return the kind of a learning by its label, its words and the stories it names.

    What names another story than its own tells how the two hang together. Under a label that covers
    everything the words decide: what goes wrong, or must not be forgotten, is a gotcha.
    """
    if label is Kind.DEPENDENCY or _RELIES.search(text) or _names_other(text, story):
        return Kind.DEPENDENCY
    if label is Kind.GOTCHA:
        return Kind.GOTCHA
    words = _NO_NEED.sub(" ", _CODE.sub("`", text))
    found = _HARMFUL.search(words) if label is Kind.PATTERN else _GOTCHA.search(words)
    return Kind.GOTCHA if found else Kind.PATTERN


def _names_other(text: str, story: str | None) -> bool:
    if not any(char.isdigit() for char in text):
        return False
    return any(found[0] != story and not found[0].startswith(_NO_STORIES) for found in _STORY.finditer(text))


_NO_STORIES = ("UTF-", "SHA-", "ISO-", "RFC-", "ES-", "AES-", "RSA-", "CVE-", "HTTP-", "GPT-", "MD-", "CP-", "TLS-")
