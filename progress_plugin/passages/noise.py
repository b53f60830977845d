"""Recognise what a machine left in a log and no reader needs."""

from __future__ import annotations

import re

from progress_plugin.core.known_paths import is_archived_log
from progress_plugin.model.status import ALL_MARKS, parse_status
from progress_plugin.passages.sentences import LONGEST, columns, statements
from progress_plugin.text.labels import plain
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.section_names import TEACHING, SectionKind, section_of

_STAMP = LazyPattern(
    r"[\W\d]*+(?:(?:mon|tue|wed|thu|fri|sat|sun)\w*+[\W\d]*+)?(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*)?"
    r"[\W\d]*(?:T[\d:.]+Z?|UTC|Universal|GMT|[ap]m|[A-Z]{2,4}T)?[\W\d]*$",
    re.IGNORECASE,
)
_DATED = LazyPattern(
    r"\W*+(?:(?:started|created|begun|last (?:updated|session|run)|updated|generated|finished|completed)"
    r"(?: (?:on|at))?|initiali[sz]ed|start(?: date)?|date|"
    # German, French, Spanish and Portuguese, Italian, Dutch, Polish, Russian
    r"(?:zuletzt )?(?:begonnen|gestartet|angefangen|angelegt|erstellt|aktualisiert|geändert|beendet|"
    r"abgeschlossen)(?: am)?|(?:letzte )?(?:aktualisierung|änderung)|beginn|datum|stand|"
    r"commencé|débuté|créé|mis à jour|terminé|dernière mise à jour|début|date de début|"
    r"iniciado|empezado|comenzado|comenzó|creado|actualizado|terminado|última actualización|inicio|fecha|"
    r"começado|criado|atualizado|concluído|última atualização|início|data|"
    r"iniziato|creato|aggiornato|terminato|ultimo aggiornamento|inizio|"
    r"(?:laatst )?(?:gestart|aangemaakt|bijgewerkt|afgerond)|"
    r"rozpoczęto|utworzono|zaktualizowano|zakończono|ostatnia aktualizacja|początek|"
    r"начато|создано|обновлено|завершено|последнее обновление|начало|дата|"
    r"(?:开始|創建|创建|更新|完成|日期|開始|作成|最終更新|完了|日付)(?:日期|时间|日時|日)?|"
    r"(?:시작|생성|수정|완료|최종 수정|날짜)일?)"
    r"\W{0,4}[:：]\W{0,4}(?=\w)",
    re.IGNORECASE,
)
"""The label of a stamp: what is behind it is a date and nothing else (`_is_dated`)."""
_RUNNER = (
    r"\W*+(?:20\d\d[-/]\d\d[-/]\d\d[T\d:.Z +\]-]*)?\W*+"
    r"(?:(?:session|iteration|loop|run|attempt|round|cycle)\b\s*+#?\d[\W\d]*+[TZ]?[\d:.]*+Z?|"
    r"(?:session|iteration|loop|run|agent|attempt|step)\b[\s#\d/]*(?:of \d+)?\W*"
    r"(?:start(?:ed|ing)?|end(?:ed|ing)?|timeout|timed out|terminat\w+|rotat\w+|stopp\w+|resum\w+|"
    r"complete[d]?|exited)"
    r"\b.{0,80}|"
    r"(?:(?:session|actual|estimated|total|project|overall|phase) )?"
    r"(?:duration|time(?: spent| taken)?|effort)\s*[:—]\s*[~≈<]?\d[^;]{0,80}|"
    r"complexity\s*:\s*(?:level|low|medium|moderate|high|simple)\b[^;]{0,40}|"
    r"(?:thread|session id|thread id|run id|conversation|tokens(?: used)?|exit code|cost|model|"
    r"elapsed|pid|timestamp)\s*:\s*\S{1,120}(?: \S+)?|success\s*:\s*(?:true|false)|"
    r"(?:thread\s*:\s*)?(?:run|session|iteration)(?: (?:id|log|summary|file))?\s*:\s*"
    r"(?:\d[\d-]{5,}|\S*/\S+)(?: \(\w+ \d+\))?|"
    r"what (?:was|were|has been|is) (?:implemented|done|changed|built|fixed|added)\W*|"
    r"(?:guardrails \w+|no-commit run|dry[- ]run|post-commit status)\s*:\s*(?:yes|no|true|false|clean)\W*|"
    r"context (?:was )?(?:compact|rotat|reset)\w*.{0,40}|(?:reason\W+)?timeout reached.{0,40})$"
)
_CHECKED = (
    r"\W*+(?:all |the )?(?:(?:quality|type|lint|unit|existing|project|build|final|ci|pre-commit)[ -]?)*"
    r"(?:tests?|checks?|gates?|type-?checks?|type-?checking|lint(?:ing)?|builds?|acceptance criteria|"
    r"criteria|"
    r"verification|suite|ci)(?:(?:,| and| &| /|/|\s\+)\s*(?:all )?(?:tests?|lint(?:ing)?|builds?|"
    r"type-?checks?|format(?:ting)?|checks?))*"
    r"\W*+(?:(?:is|are|all|now|were|have|successfully)\W*+){0,3}"
    r"(?:pass(?:e[sd]|ing)?|green|clean|ok|met|done|verified|succeed(?:s|ed)?|complete[d]?|successful(?:ly)?)\W*+$"
)
_COUNTED = LazyPattern(
    r"\W*+(?:tests?\W+)?(?:all |the )?\d[\d,./]*+ (?:[^\W\d][\w.+#-]{0,15} ){0,3}?"
    r"(?:tests?|checks?|specs?|assertions?)\b(?: (?:files?|cases?|total|suites?))?"
    r"\W*+(?:(?:is|are|all|now|still|were|have)\W*+){0,3}pass(?:e[sd]|ing)?[^\w(]*+"
    r"(?:in [~≈]?\d[\d.,]*+ ?(?:ms|s|sec(?:onds)?|min(?:utes)?|m)\b[^\w(]*+)?(?:\(.{0,60}\)?\W*)?$|"
    r"\W*+(?:[^\W\d]{1,20}[ :：]{1,2}){0,3}"
    r"(?:\d++ (?:passed|failed|skipped|warnings?|ignored|errors?|deselected|xfailed)[,;]? ?){1,5}"
    r"(?:in [\d.]++ ?s)?\W*+$|"
    r"\W*+(?:(?:cargo|npm|pnpm|yarn|go|pytest|python|make|dotnet|mvn|cd)\b[^;]{0,80})"
    r"pass(?:es|ed)? \(\d[^)]{0,60}\)\W*+$",
    re.IGNORECASE,
)
_FIELD = (
    r"\W*+(?:(?:project|spec|prd|plan|author|owner|repo(?:sitory)?|branch|agent|worktree)\W{0,3}:\W{0,4}"
    r"[\w./@~-]{1,60}|total(?: \w+){1,4}\W{0,3}:\W{0,3}[\d,.]+|"
    r"[~≈]?\d[\d,]* (?:lines|files|commits|tokens))\W*$"
)
"""What a form's head says, and bare counts."""
_NOTHING = (
    r"\W*(?:no(?:ne|thing)?(?: (?:new|further|additional|significant|major|specific|other|more|open|known))*"
    r"(?: (?:learnings?|patterns?|gotchas?|findings?|issues?|blockers?|changes?|notes?))?"
    r"(?: (?:yet|so far|at this time|currently|identified|encountered|needed|reported))*|n/?a|tbd|"
    r"无|なし|없음)\W*$"
)
_EMPTY = LazyPattern(
    r"\W*[^\W\d_][\w /-]{0,30}\W*[:—]\W*(?:none|n/?a|null|nothing|empty|-+|tbd|0)\W*$", re.IGNORECASE
)
_PLACEHOLDER = (
    r"<!--|\[(?:add|list|describe|your|insert|fill|todo)\b[^\]]*\]$|\W*\((?:add|list|describe|insert|fill)\b[^)]*\b(?:here|below|later)\b[^)]*\)$|"
    r"\{\{|<[a-z][\w -]*>$|_[^_]+_$"
)
_MARKED = (
    r"\W*+(?:files? (?:changed|modified|updated)\W{1,4})?(?:updated? )?"
    r"\S{0,60}\b(?:prd|plan|tasks?|progress|feature[_-]list)\.(?:json|md|txt|ya?ml)\S{0,2}"
    r"(?:\W{1,5}|\W{1,4}(?:to|with) )(?:marked|mark|set|flagged|updated?)\b.{0,80}$"
)
"""What was noted in plan or log itself: the status says so."""
_OF_ITSELF = (
    r"\W{0,6}(?:(?:welcome|hello|hi)\b[^.!:]{0,40}[.!:] )?(?:(?:this|the) (?:file|log|document|hand-?off|"
    r"(?:progress|session|hand-?off) (?:file|log|document))(?: \w+){0,2}? "
    r"(?:tracks?|contains?|records?|documents?|logs?|captures?|describes?|summari[sz]es?|"
    r"is (?:used|updated|maintained|written|generated|for))\b|"
    r"(?:automatically |auto-?)?(?:updated|generated|maintained|written|managed) by (?:the |an? )?(?:\w+ )?"
    r"(?:agents?|ralph|claude|ai|assistant|loop|runner)\b|"
    r"(?:[\w ]{1,20}: ?)?\*?updated after (?:each|every) [\w -]{1,40}\*?\W*$|"
    r"completed by (?:the |an? )?agent\W*$|"
    r"each (?:entry|section|session) (?:below )?is (?:written|added|appended|recorded) "
    r"(?:by|after|when|here)\b|"
    r"(?:all )?progress is (?:tracked|recorded|logged|kept) (?:here\b|in this (?:file|log|document)\b))"
)
"""What a log says of itself, as the first of its words."""
_RESTART = (
    r"(?:where am I(?: going)?|what(?:'s| is) the goal|what have I (?:learned|done))\?\W{1,4}"
    r"(?:see|phase \d+)\b"
)
"""Rows of the questions that planning files end with, where they refer to what stands elsewhere."""
_REMINDER = (
    r"\W{0,4}(?:update phase status as you progress\b|pending → in_progress → complete\b|"
    r"re-read this plan before |log all errors\b|never repeat a failed action\b|"
    r"(?:[\w /]{1,30}: )?append (?:new )?(?:entries|sessions|notes) "
    r"(?:below|here|to the end|at the (?:end|bottom))\b)"
)
"""What the form of a plan in files, or of a log, reminds everybody of."""
_SIGNAL = r"\W*(?:[A-Z]{2,20}_){1,4}(?:COMPLETED?|DONE|FINISHED)\W*$"
"""What a loop waits for: `PRD_COMPLETE`."""
_FINISHED = LazyPattern(
    r"(?:.{0,80}[:—–-]\s*+)?\W*+"
    r"(?:(?:all|mission|implementation|task|story|phase|work|everything|feature)\W*+(?:\w+\W+){0,3}?)?"
    r"(?:is |are |now )*(?:100 ?% )?(?:complete[d]?|done|finished|完了|完成|готово)\W*+$",
    re.IGNORECASE,
)
"""Something is finished, and nothing else is said of it."""
_AMOUNT = LazyPattern(
    r"(?:\w+ ){0,3}(?:(?:files?|tests?|lines|stories|tasks|tickets|code|classes|methods|components)"
    r"(?: \w+){0,2} "
    r"(?:created|added|removed|deleted|modified|changed|written|updated|fixed|completed)|"
    r"(?:commits|(?:document|code) lines|(?:lint(?:er)?|type|build|test) (?:errors?|warnings?|failures?))"
    r"(?: \w+){0,3})"
    r"\W{0,4}[:—]\W{0,4}[~≈+-]?\d[\d,.]*+(?: \w+)?(?: \(.{0,60}\))?\W*+$|"
    r"\W*+[~≈+]?\d[\d,.]*+ (?:lines|files|commits)(?: of code)? "
    r"(?:added|removed|deleted|modified|changed|written)"
    r"(?:(?:/|, | and )(?:added|removed|deleted|modified|changed))?"
    r"(?: (?:across|in|over) [~≈]?\d[\d,.]*+ (?:files|commits))?\W*+$",
    re.IGNORECASE,
)
"""How much of something was made."""
_COMMIT = LazyPattern(
    r"\W*+(?:(?:git )?commit|hash|sha)(?: hash| id)?\W{1,6}`?[0-9a-f]{7,40}`?\W*+$", re.IGNORECASE
)
_ALL_MET = LazyPattern(
    r"\W*+(?:verified |confirmed |checked )?(?:that )?(?:all |the )*(?:\d+(?:/\d+)? )?(?:of the )?"
    r"(?:\w+ ){0,2}(?:criteria|criterion|check ?boxes|requirements|deliverables|objectives|stories)\b"
    r"(?: (?:in|for|of) .{3,60}?)?"
    r"(?: (?:are|is|were|was|have been|has been|have|now|already|all|fully|correctly|still|being))*"
    r" (?:`?passes`?: `?true`?|marked|checked|ticked|completed?|met|done|satisfied|fulfilled|verified|"
    r"pass(?:ed|ing)?)"
    r"(?: (?:as|off|in|with) \S+| complete| \[x\]| done| and (?:met|verified|checked))*+\W*+$",
    re.IGNORECASE,
)
"""Everything that was asked for is there: the story's mark says so."""
_OF_ITS_MOMENT = (_ALL_MET, _COUNTED, LazyPattern(_CHECKED, re.IGNORECASE), _FINISHED, _AMOUNT, _COMMIT)
_GOOD = frozenset({"✓", "✔", "✅", "pass", "passed", "ok"})
_LETTERS = LazyPattern(r"[^\W\d_]{2}")
_OF_TIMES = LazyPattern(
    r"[월화수목금토일]요일|\d\d?(?:시|분|초|時|时|分|秒)|[月火水木金土日]曜日|星期.|\b[A-Z]{2,5}\b"
)
"""Words of a time of day, and zones, as machines print them behind a date."""
_DIGIT = LazyPattern(r"\d")
_LEGEND = rf"(?>[{ALL_MARKS}◯–-]" r"\s*+(?:=\s*+)?[\w /-]{2,20}[,;|·]?\s*){3,}+$"
_NOISE = LazyPattern(
    "|".join(
        (
            _STAMP.pattern,
            _RUNNER,
            _CHECKED,
            _FIELD,
            _NOTHING,
            _PLACEHOLDER,
            _MARKED,
            f"(?-i:{_LEGEND})",
            f"(?-i:{_SIGNAL})",
            _RESTART,
            _REMINDER,
        )
    ),
    re.IGNORECASE,
)
"""All of them at once: nearly every statement is none of them, and is asked once."""
_CENTURY = ("20", "[2")
_MACHINES_STAMP = LazyPattern(
    r"\[?20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?(?:\s*[-–—|:])?\s+(?=\S)"
)
"""To the second, before what a program wrote down: when it was is said by what is around it."""
_ON_ITSELF = LazyPattern(_OF_ITSELF, re.IGNORECASE)
_ESCAPED = ("\\n\\n", "\\n#", "\\n-", "\\n*", '\\"', "\\u00", "\\n ", "\\t")
_FEWEST = 3
"""Escapes that make a text a piece of a transcript: one may be reported."""
_LONGEST = 120
_LONGEST_ON_ITSELF = 260
"""Characters: mostly a second sentence says to whom the log is given."""
_MOST_OF_NAME = 4
"""Words."""
_ANNOUNCED = TEACHING | {SectionKind.FILES}
_MOST_OF_REFERENCE = 12
"""Words."""
_AROUND_PATH = "`'\"“”„「」()[].,;:：。"
_FORBIDS = LazyPattern(
    r"\b(?:never|not|\w+n't|no|only|always|must|nie|niemals|nicht|keine?|nur|immer|jamais|pas|nunca|siempre|mai|"
    r"nooit|niet|никогда|не)\b|不要|勿|ない|마세요",
    re.IGNORECASE,
)
_SHORTEST = 4
_LONGEST_OF_FIELD = 160
"""Columns of a statement there."""


def telling(text: str) -> tuple[str, ...]:
    """Return the statements of a text that say something."""
    return _telling(text, LONGEST)


def telling_of_field(text: str) -> tuple[str, ...]:
    """Return the same of a field of our own log, in which several statements are joined by semicolons."""
    return _telling(text, _LONGEST_OF_FIELD)


def _telling(text: str, longest: int) -> tuple[str, ...]:
    if text[:2] in _CENTURY:
        text = _MACHINES_STAMP.sub("", text)
    return tuple([piece for piece in statements(text, longest) if not is_noise(piece)])


def _is_dated(text: str) -> bool:
    label = _DATED.match(text)
    if label is None:
        return False
    rest = text[label.end() :]
    if _STAMP.match(rest):
        return True
    from progress_plugin.authored.dates import find_date  # noqa: PLC0415 - only for what is hardly ever written

    date = find_date(rest)
    return date is not None and not _LETTERS.search(_OF_TIMES.sub("", rest[: date.start] + rest[date.end :]))


def is_noise(text: str) -> bool:
    """Return whether a statement is a runner's stamp, an escaped transcript, a legend or an empty phrase."""
    if "\\" in text and is_transcript(text):
        return True
    if len(text) <= _LONGEST_ON_ITSELF and _ON_ITSELF.match(plain(text)):
        return True
    if len(text) > _LONGEST:
        return False
    if columns(text) < _SHORTEST or not _LETTERS.search(text):
        return True
    text = plain(text)
    return (
        _NOISE.match(text) is not None
        or (":" in text and _EMPTY.match(text) is not None)
        or _is_dated(text)
        or _is_name_of_section(text)
        or _refers_to_archive(text)
        or _is_passed_check(text)
    )


def _is_name_of_section(text: str) -> bool:
    """Return whether a statement is no more than what announces others: `Gotchas encountered`."""
    words = text.split()
    return 1 < len(words) <= _MOST_OF_NAME and all(map(str.isalpha, words)) and section_of(text) in _ANNOUNCED


def _refers_to_archive(text: str) -> bool:
    """Return whether a statement says no more than where older entries of its log have been moved.

    The file is named as the first or the last of few words, in whichever language; a rule about it is none.
    """
    words = text.split()
    if len(words) > _MOST_OF_REFERENCE or _FORBIDS.search(text):
        return False
    return any(is_archived_log(word.strip(_AROUND_PATH)) for word in (words[0], words[-1]) if "." in word)


def _is_passed_check(text: str) -> bool:
    """Return whether a row of a table of checks says that what was expected came out."""
    text = text.casefold()
    return (
        "expected: " in text and "actual: " in text and text.rpartition("status: ")[2].strip(" .*`") in _GOOD
    )


def is_count(text: str) -> bool:
    """Return whether a statement only counts what passed or was made: it says the state of the work then."""
    if len(text) > _LONGEST or not _DIGIT.search(text):
        return False
    text = plain(text)
    return bool(_COUNTED.match(text) or _AMOUNT.match(text))


def is_of_its_moment(text: str) -> bool:
    """Return whether a text only says that work was finished or checked, and how much of it there was.

    Several such statements, joined by semicolons, are no more than one.
    """
    if len(text) > 2 * _LONGEST:
        return False
    pieces = map(plain, text.split("; "))
    return all(any(pattern.match(piece) for pattern in _OF_ITS_MOMENT) for piece in pieces)


def is_bare_status(text: str, is_status: bool) -> bool:
    """Return whether a text says only a status; `is_status` is whether it stands where one does."""
    name, _, rest = text.replace("*", "").replace("：", ":").rpartition(":")
    return parse_status(rest) is not None and (is_status or section_of(name) is SectionKind.STATUS)


def is_transcript(text: str) -> bool:
    r"""Return whether a text is a piece of escaped JSON, with `\n` in the place of its lines."""
    prose = "".join(text.split("`")[::2]) if text.count("`") % 2 == 0 else text
    return sum(map(prose.count, _ESCAPED)) >= _FEWEST
