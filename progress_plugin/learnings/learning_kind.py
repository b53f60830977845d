"""Which kind a learning is of, by what it says: pattern, gotcha or dependency."""

from __future__ import annotations

from progress_plugin.learnings.words import bare_words, may_be_foreign, word_set
from progress_plugin.model.learning import LearningKind
from progress_plugin.text.patterns import LazyPattern

_HARM = word_set(
    "never cannot can't don't doesn't didn't won't isn't aren't wasn't shouldn't fail fails failed failing "
    "break breaks breaking broke broken crashes crashed careful beware gotcha pitfall caveat trap critical "
    "crucial fragile brittle wrong wrongly incorrect incorrectly silent silently unexpected unexpectedly "
    "surprising surprisingly subtle tricky confuse confuses confused confusing misleading otherwise "
    "workaround deprecated lack lacks conflict conflicts deadlock deadlocks hang hangs leak leaks flaky "
    "stale unless ignores ignored throws rejects corrupt corrupts timeout timeouts ambiguous ambiguity "
    "challenging bug too"
)
"""What goes wrong. Under a label that promises patterns only this makes a gotcha."""
_HARM_PHRASES = (
    "can not", "do not", "does not", "will not", "should not", "must not", "watch out",
    "work around", "even though",
    "even if", "no longer", "order matters", "false positive",
)  # fmt: skip
_DUTY = word_set(
    "must avoid requires not limitation limitations workarounds missing unlike however remember carefully "
    "race collision collisions problem problematic"
)
"""What has to be done or is in the way: a gotcha where the label leaves it open."""
_DUTY_PHRASES = ("required for", "required to", "have to", "has to", "errors out")
_SIGNS = ("⚠", "🚨", "❗")
_FOREIGN = (
    "注意", "警告", "必须", "不能", "不要", "否则", "避免", "务必", "陷阱", "根因", "长尾",
    "问题",
    "しない", "必ず", "落とし穴", "주의", "반드시", "안 됩", "нельзя", "должн", "осторожно",
)  # fmt: skip
_FOREIGN_WORDS = word_set("nicht müssen muss nie nunca debe deben deve devem não jamais doit doivent cuidado")
_NO_NEED = LazyPattern(
    r"\b(?:no need (?:to|for)|(?:is |are )?not (?:needed|necessary|required)|(?:don't|doesn't|does not|"
    r"do not) (?:need|require)|no \w+(?: \w+){0,3} (?:needed|required|necessary)|not (?:just|only)|if not|"
    r"or not|not found)\b"
)
_NEGATIONS = word_set("no not don't doesn't")
"""One of these is in everything that `_NO_NEED` takes out."""
_CODE = LazyPattern(r"`[^`]*`")
_RELIES = (
    "depends on", "depend on", "dependent on", "builds on", "relies on", "blocked by", "prerequisite for",
    "done before", "done after", "come before", "come after", "依赖", "依存",
)  # fmt: skip
_RELYING = word_set("depends depend dependent builds relies blocked prerequisite done come")
_UNITS = word_set("story ticket task feature")
_PHRASED = word_set("not watch around though even longer matters false required have has out")
_WARNING = _HARM | _DUTY | _PHRASED
_STORY = LazyPattern(r"\b[A-Z]{2,}-\d{1,4}[A-Z]?\b|\b(?i:story|ticket|task|feature) #?\d[\w.-]*")
_NUMBERED = LazyPattern(r"-\d")
_NO_STORIES = (
    "UTF-",
    "SHA-",
    "ISO-",
    "RFC-",
    "ES-",
    "AES-",
    "RSA-",
    "CVE-",
    "HTTP-",
    "GPT-",
    "MD-",
    "CP-",
    "TLS-",
)


def kind_of(text: str, label: LearningKind | None, story: str | None = None) -> LearningKind:
    """Return the kind of a learning by its label, its words and the stories it names.

    What names another story than its own says how the two depend on each other. Under a label that covers
    everything the words decide: what goes wrong, or must not be forgotten, is a gotcha.
    """
    if label is LearningKind.DEPENDENCY or _relies(text) or _names_other(text, story):
        return LearningKind.DEPENDENCY
    if label is LearningKind.GOTCHA or (
        _may_warn(text) and _warns(text, strictly=label is LearningKind.PATTERN)
    ):
        return LearningKind.GOTCHA
    return LearningKind.PATTERN


def kind_by_words(text: str, story: str | None) -> str:
    """Return the kind of what stands under no label, as a plain value that can be remembered."""
    return kind_of(text, None, story).value


def _relies(text: str) -> bool:
    if text.isascii() and bare_words(text).isdisjoint(_RELYING):
        return False  # elsewhere such a word may be part of one, after an emoji or an ideograph
    lower = text.lower()
    return any(map(lower.__contains__, _RELIES))


def _may_warn(text: str) -> bool:
    """Return whether any word at all warns, before code and politeness are taken out: most texts end here."""
    return not bare_words(text).isdisjoint(_WARNING) or _warns_in_another_language(text)


def _warns(text: str, *, strictly: bool) -> bool:
    if "`" in text:
        text = _CODE.sub("`", text)  # names of code warn of nothing
    if not bare_words(text).isdisjoint(_NEGATIONS):
        small = _small(text)
        needed = _NO_NEED.sub(" ", small)
        text = text if needed == small else needed  # the words of a text left as it is are known
    words = bare_words(text)
    if not words.isdisjoint(_HARM):
        return True
    lower = "" if words.isdisjoint(_PHRASED) else _small(text)
    if lower and any(map(lower.__contains__, _HARM_PHRASES)):
        return True
    if _warns_in_another_language(text):
        return True
    if strictly:
        return False
    return not words.isdisjoint(_DUTY) or any(map(lower.__contains__, _DUTY_PHRASES))


def _small(text: str) -> str:
    return text.lower().replace("’", "'")


def _warns_in_another_language(text: str) -> bool:
    if text.isascii():
        return False
    if not bare_words(text).isdisjoint(_FOREIGN_WORDS) or any(map(text.__contains__, _SIGNS)):
        return True
    return may_be_foreign(text) and any(map(text.lower().__contains__, _FOREIGN))


def _names_other(text: str, story: str | None) -> bool:
    if not _NUMBERED.search(text) and bare_words(text).isdisjoint(_UNITS):
        return False
    return any(found[0] != story and not found[0].startswith(_NO_STORIES) for found in _STORY.finditer(text))
