"""Recognise what is among learnings and is none: status, placeholders, records of the day."""

from __future__ import annotations

import re

from progress_plugin.learnings.words import bare_words, may_be_foreign, word_set
from progress_plugin.text.labels import plain
from progress_plugin.text.patterns import LazyPattern

_NOTHING = LazyPattern(
    r"(?:no(?:ne|thing)?\b(?: (?:new|further|additional|significant|major|notable|specific|particular|"
    r"other|more))*(?: (?:learnings?|patterns?|gotchas?|findings?|lessons?|insights?|discover(?:y|"
    r"ies)))?(?: (?:yet|so far|this time|here|to (?:note|report|add)|for this .*|in this .*|from this .*|"
    r"identified|needed|discovered|currently|today|new))*|n/?a|tbd|todo|-+|\.\.\.|…|无|無|暂无|沒有|"
    r"没有新.{0,8}|なし|特になし|없음|"
    r"(?:нет|ningun[oa]?|keine[rn]?|aucune?|nenhuma?)(?: \w+){0,3})(?: [-–—]+ .*)?[.!。]*",
    re.IGNORECASE,
)
_PLACEHOLDER = LazyPattern(
    r"<!--|\[(?:\.\.\.|…|add|list|describe|your|insert|fill|pattern|learning|gotcha|"
    r"placeholder)\b[^\]]*\]$|\{[^{}]*\}$|<[a-z][^<>]*>$|\((?:add|none|to be|will be|empty|updated|nothing|"
    r"list)\b[^)]*\)$|_[^_]+_$|(?:add|list|document|record|describe) (?:your |new |any |"
    r"reusable )*(?:learnings?|patterns?|gotchas?)\b.{0,30}here",
    re.IGNORECASE,
)

# A run that went well says nothing about the repository.
_WENT_WELL = (
    "pass passes passed passing succeed succeeds succeeded successful successfully clean cleanly green ok "
    "fine verified complete completed fixed done met satisfied implemented resolved accurate finished"
)
_GOOD_WORDS = word_set(f"{_WENT_WELL} marked flagged set green")
_PASSED = rf"(?:{'|'.join(_WENT_WELL.split())})"
_CHECKED = (
    r"(?:tests?|specs?|checks?|type-?checks?|type-?checking|types|tsc|mypy|lint(?:ing|er)?|eslint|builds?|"
    r"quality (?:checks|gates?)|acceptance criteria|criteria|assertions|suites?|ci|features|stories|"
    r"compilation|examples)"
)
_NO_MORE = (
    r"(?!.*\b(?:only|when|if|unless|because|but|without|before|until|even)\b)"  # else it is a condition
)
_GOOD_NEWS = LazyPattern(
    r"(?:all |the |full |both |every |new |existing |total(?: of)?:? |now )*(?:\d[\d,.]*(?:/\d+)? ?)?(?:of "
    r"\d+ )?"
    rf"(?:\w+[ -]){{0,3}}?{_CHECKED}(?: \([^)]*\))?"
    rf"(?: (?:all|now|still|and (?:\w++ ?){{1,3}}|is|are|were|was|has been|have "
    rf"been))*\s+{_PASSED}\b{_NO_MORE}.{{0,60}}|"
    r"\W*\d+ ?/ ?\d+ .{0,30}(?:pass\w*|complete\w*|done|green)\b.{0,40}|(?:stor(?:y|ies)|task|feature|"
    r"ticket|phase|\w+-\d+)\b.{0,40}\b(?:is|are|was|were|has been|"
    r"now)(?: now)? (?:already )?(?:complete[d]?|done|finished|marked)\b.*|.{0,60}\b(?:marked|flagged|"
    r"set) (?:as )?(?:`?passes|passing|complete|done|passed|`?true)\b.*|all .{0,80}\b(?:are|is|were|"
    r"have been) (?:now )?(?:all )?(?:fully )?(?:complete[d]?|fixed|verified|done|implemented|resolved|"
    r"accurate|finished)\b.*|all .{0,60}\b(?:fully )?(?:verified|complete|completed|implemented|"
    r"resolved)\b.*|.{0,60}\b(?:phase|story|epic|sprint|milestone|feature|"
    r"work) (?:is )?(?:now )?complete[d]?\b.{0,60}|.{0,60}\bresolved\b\s*[-–—:].*",
    re.IGNORECASE | re.DOTALL,
)
_WORD_OF_DATE = r"[^\W\d_]{2,12}[.,]{0,2}"
"""The name of a day, a month or a zone, in any language."""
_DATED = LazyPattern(
    r"(?=.{0,80}20\d\d)(?=.{0,80}\d:\d\d:\d\d)"
    r"(?:(?:started|begun|created|generated|finished|updated|date)(?: (?:on|at))?\W{1,4})?"
    rf"(?:{_WORD_OF_DATE} +){{0,2}}"
    rf"\d[\d:.,/ ]*(?:{_WORD_OF_DATE}[\d:.,/ +-]*){{0,3}}(?:\W{{0,5}}[a-z]+-\d+)?",
    re.IGNORECASE,
)
"""What `date` prints in any language, alone or with an id behind it."""
_STANDING = LazyPattern(
    r"(?:started|begun|created|generated|finished|(?:last )?updated|date)(?: (?:on|at))?\W{1,4}"
    r"(?:[a-z]{3,9},? +){0,2}\d[\d:.,/tz +-]*(?:[a-z]{3,4}\b[\d +:-]*)?|"
    r"\d+(?: new| unit| e2e| integration| total)* tests?\b.{0,30}|(?:no|zero|0) (?:regressions?|errors|"
    r"failures|type errors|lint errors|code changes?|changes?|(?:new )?issues|blockers)\b(?: (?:found|"
    r"needed|required|introduced|were|made|remain|reported|detected|in)\b.{0,60})?|(?:next|following|"
    r"upcoming|remaining) (?:step|stor(?:y|ies)|ticket|phase|task|feature|iteration|session|priorit(?:y|"
    r"ies)|up)s?\b.*|this (?:story|task|ticket|feature|iteration|session|phase)?\s?(?:completes|validates|"
    r"concludes|finishes|marks|was already|is (?:now )?(?:complete|done))\b.*|(?:committed|pushed|merged|"
    r"deployed) (?:to|as|in|with)\b.*|(?:ready|waiting|blocked) (?:for|on|to)\b.{0,60}|"
    r"(?:branch|prd|plan|repo(?:sitory)?|worktree|agent|author|owner)\W{1,4}[\w./@~-]{1,80}|"
    r"project\W{1,4}[\w.@-]+(?: [\w.@-]+){0,3}|"
    r"status\W{1,4}(?:in[ -]progress|done|completed?|finished|pending|blocked|(?:not )?started|active|wip|"
    r"ready)|"
    r"files? is \d+ lines.*|\d+ lines? .*|(?:stopped|paused|resumed|resuming) (?:at|here|after)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_NOT_DONE_WORDS = word_set(
    "verification testing review qa check untracked uncommitted committed preexisting existing unrelated"
)
_CHECK = r"(?:verification|testing|review|qa|check)"
_CARRIED_OUT = r"(?:performed|possible|done|run|executed|available|carried out|completed)"
_NOT_DONE = LazyPattern(
    rf".{{0,80}}\b{_CHECK}\b(?: \w+){{0,2}} (?:not|never)(?: (?:be|been|yet|could be))* {_CARRIED_OUT}\b.*|"
    rf".{{0,80}}\b{_CHECK}\b(?: \w+)? (?:skipped|deferred|pending)\b.*|"
    r".{0,60}\b(?:untracked|uncommitted|not (?:yet )?committed|left uncommitted)\b.*|.{0,50}\b(?:(?:are|is|"
    r"were|was) )?(?:pre-?existing|unrelated)\b.{0,30}(?:\(.*\)|separate.*|errors?|failures?)?",
    re.IGNORECASE | re.DOTALL,
)
_FOREIGN_STATUS = LazyPattern(
    r"标记为|標記為|完成状态|完成狀態|未跟踪|未提交|没有 ?commit|没有提交|已按要求|^(?:这次|本次)(?:没有|"
    r"未)|稳定完整|全绿|(?:测试|検証|テスト|测试用例)[^，。,]{0,12}(?:通过|全部通过|パス|成功)[。.]?$|"
    r"テストは?すべて(?:通過|パス)|모든 테스트.{0,6}통과|все тесты прош|todas? las pruebas pas|"
    r"todos os testes pass|alle tests (?:bestanden|grün)|tous les tests pass",
    re.IGNORECASE,
)
_REFERENCE = LazyPattern(r"`[^`]+`[.,;]?|[\w./@-]+\.[a-z]{1,5}")
"""A name alone, without anything said of it."""
_TESTS = word_set("tests testes pruebas")
_SHORTEST = 4
_LONG = 200
"""A sentence longer than this says more than that something passed."""


def is_decoy(text: str) -> bool:
    """Return whether a line among learnings holds no learning."""
    words = plain(text).strip(" -–—*") if len(text) <= _LONG else text
    if (len(words) < _SHORTEST and words.isascii()) or not words:
        return True
    if _REFERENCE.fullmatch(text) or _PLACEHOLDER.match(text):
        return True
    return bool(len(words) <= _LONG and _NOTHING.fullmatch(words)) or is_status(words)


def is_status(words: str) -> bool:
    """Return whether a plain text only says what the state is: what passed, is complete, comes next."""
    if len(words) <= _LONG:
        text = words.rstrip(".!✓✅ ")
        known = bare_words(words)
        if _STANDING.fullmatch(text) or (text.count(":") > 1 and _DATED.fullmatch(text)):
            return True
        if not known.isdisjoint(_GOOD_WORDS) and _GOOD_NEWS.fullmatch(text):
            return True
        if not known.isdisjoint(_NOT_DONE_WORDS) and _NOT_DONE.fullmatch(text):
            return True
    if words.isascii() or not (may_be_foreign(words) or not bare_words(words).isdisjoint(_TESTS)):
        return False
    return bool(_FOREIGN_STATUS.search(words))
