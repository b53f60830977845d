"""What a heading or label of a log announces, in the words agents use for it (S5.2, S7.1).

One table serves both readers: entries need to know where files, status and next steps stand, learnings
need to know where they begin and which label ends them.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache

from progress_plugin.text.labels import plain, undecorated


class Section(Enum):
    """What stands under a label."""

    LEARNED = "learned"
    PATTERN = "pattern"
    GOTCHA = "gotcha"
    DEPENDENCY = "dependency"
    NOTES = "notes"
    """Remarks of any kind: only some of them teach."""
    FILES = "files"
    CHECKS = "checks"
    """Tests, verification, acceptance criteria."""
    NEXT = "next"
    STATUS = "status"
    TASK = "task"
    TICKET = "ticket"
    DATE = "date"
    WORK = "work"
    """What was done."""
    OTHER = "other"
    """Decisions, blockers, figures: told for the record."""


TEACHING = frozenset({Section.LEARNED, Section.PATTERN, Section.GOTCHA, Section.DEPENDENCY})

# English: optional qualifiers, one head word, an optional tail. A word that is no qualifier, or a tail that
# goes on differently ("learnings sections", "insights enabled"), is about something else.
_QUALIFIERS = (
    r"(?:(?:the|our|my|some|new|key|main|major|important|notable|critical|core|useful|general|common|other|more|"
    r"additional|technical|structural|process|codebase|code|repo|repository|project|architectural|architecture|"
    r"design|reusable|consolidated|accumulated|established|current|recent|development|implementation|testing|test|"
    r"debugging|workflow|session|sprint|iteration|phase|story|task|team|agent|global|overall|final|quick|"
    r"\d+|[\w-]+ability|known|potential|possible|discovered|project-specific|cross-cutting)\s+){0,3}"
)
_TAIL = (
    r"(?:\s*(?:learn(?:ed|t)|discovered|encountered|identified|found|noted|noticed|observed|established|"
    r"flagged|so far|to (?:remember|follow|avoid|note|know)|worth \w+|"
    r"(?:for|from|of|in|about|during|on) (?:the |this |these |our |all |any |each |every )?(?:next|future|later|other|"
    r"upcoming|subsequent|session|iteration|story|stories|phase|sprint|task|feature|work|repo(?:sitory)?|codebase|"
    r"project|run|agents?|developers?|successors?|implementation)\b.*|"
    r"(?:&|and|/|,|\+|or) (?:\w+ ){0,2}\w+))*"
)


def _english(words: str) -> re.Pattern[str]:
    return re.compile(rf"{_QUALIFIERS}(?:{words}){_TAIL}\s*$")


_ENGLISH: tuple[tuple[Section, re.Pattern[str]], ...] = (
    (
        Section.GOTCHA,
        _english(
            r"gotchas?|pitfalls?|caveats?|warnings?|watch[ -]?outs?|traps?|limitations?|concerns|quirks?|footguns?|"
            r"surprises|things to (?:avoid|watch(?: out for)?|be careful (?:about|with))|what (?:to avoid|didn'?t work|"
            r"did not work|failed|went wrong)|mistakes(?: to avoid)?|anti-?patterns?|avoid|don'?ts?|beware|"
            r"lessons from failures?"
        ),
    ),
    (
        Section.PATTERN,
        _english(
            r"patterns?|conventions?|best practices|practices|useful context|what worked(?: well)?|what went well|"
            r"guidelines|rules of thumb|tips|tips (?:&|and) tricks|useful commands|how-?tos?"
        ),
    ),
    (Section.DEPENDENCY, _english(r"dependenc(?:y|ies)(?: (?:discovered|found|notes))")),
    (
        Section.LEARNED,
        _english(
            r"learnings?|lessons?|lesson learn(?:ed|t)|(?:what )?(?:we |i )?learn(?:ed|t)|takeaways?|take-aways?|"
            r"insights?|findings|discover(?:y|ies)|til|knowledge(?: base)?|observations?|technical notes|retrospective|"
            r"notes (?:for|to) (?:the )?(?:next|future)\b.*|(?:context|information|info|hints|advice) for (?:the )?"
            r"(?:next|future)\b.*|things (?:to know|learned)|prevention"
        ),
    ),
    (Section.NOTES, _english(r"notes?|remarks?|comments?|important|implementation notes")),
)
_STOPS: tuple[tuple[Section, re.Pattern[str]], ...] = (
    (Section.FILES, re.compile(r"(?:\w+ ){0,3}(?:files?|artifacts?|paths?)\b|modified$|created$|changed$")),
    (Section.NEXT, re.compile(r"(?:\w+ ){0,2}(?:next|to-?dos?|follow-?ups?|remaining|upcoming|recommend\w*|"
                              r"suggested|future (?:work|enhancements?|improvements?|solution)|plan(?:ned)?|"
                              r"deferred|open|pending)\b")),
    (Section.CHECKS, re.compile(r"(?:\w+ ){0,3}(?:tests?|testing|verification|verified|checks?|criteria|validation|"
                                r"quality gates?|results?|metrics|coverage|acceptance)\b")),
    (Section.STATUS, re.compile(r"(?:\w+ )?(?:status|success|result|outcome|passes|state)$")),
    (Section.TICKET, re.compile(r"(?:(?:ticket|task|story|feature|issue|user story|work item) )?ids?$|"
                                r"(?:story|user story|ticket|issue|feature)s?$")),
    (Section.TASK, re.compile(r"(?:task|title|goal|objective|focus|subject|scope|task name|story title|"
                              r"what was (?:implemented|done)|feature name)$")),
    (Section.DATE, re.compile(r"(?:date|completed(?: at| on)?|finished|timestamp|time|started(?: at)?|created(?: at)?|"
                              r"last updated|updated|duration|when|ended)$")),
    (Section.WORK, re.compile(r"(?:\w+ ){0,2}(?:implement\w*|changes?|summary|work(?: done)?|done|completed|added|fix(?:es|ed)?|"
                              r"deliverables?|accomplish\w*|enhancements?|improvements?|actions?(?: taken)?|updates?|"
                              r"features?|description|overview|details|steps)\b")),
    (Section.OTHER, re.compile(r"(?:\w+ ){0,2}(?:blockers?|decisions?|issues?|bugs?|errors?|problems?|commits?|agents?|thread|"
                               r"branch|project|stats?|statistics|structure|examples?|commands?|usage|impact|"
                               r"performance|corrections?|analysis|root causes?|causes?|requirements?|objectives?|goals?|resources|references|constraints?|phases?|stories|tickets|tasks)\b")),
)  # fmt: skip

# Other languages: a stem anywhere in a short name decides.
_FOREIGN: tuple[tuple[Section, re.Pattern[str]], ...] = (
    (Section.FILES, re.compile(r"文件|檔案|ファイル|파일|файл|archivos|arquivos|fichiers|dateien")),
    (Section.NEXT, re.compile(r"下一步|下步|后续|後續|待办|待辦|次の|次回|다음|следующ|próxim|siguiente|proch(?:ain|aine)|"
                              r"nächste|à faire|残って|offen")),
    (Section.CHECKS, re.compile(r"验证|驗證|测试|測試|検証|テスト|검증|테스트|провер|тест|prueb|verificaci|verificaç|"
                                r"vérificat|prüf|überprüf")),
    (Section.GOTCHA, re.compile(r"陷阱|踩坑|坑点|避坑|注意事项|注意事項|警告|局限|落とし穴|注意点|注意|함정|주의|подводн|предупрежд|"
                                r"осторожно|ограничен|trampas?|advertencias?|cuidado|limitaciones|armadilhas?|avisos?|"
                                r"limitaç|pièges?|avertissements?|fallstrick\w*|stolperstein\w*|"
                                r"warnung\w*|vorsicht|achtung|einschränkung\w*")),
    (Section.PATTERN, re.compile(r"模式|惯例|慣例|约定|最佳实践|パターン|規約|패턴|관례|паттерн|шаблон|соглашен|patrones|"
                                 r"convenciones|buenas prácticas|padrões|convenções|boas práticas|"
                                 r"bonnes pratiques|muster|konventionen|bewährte")),
    (Section.LEARNED, re.compile(r"经验|經驗|教训|教訓|学到|學到|学习|发现|發現|收获|心得|要点|知见|知見|学び|学んだ|気づき|気付き|得られた|"
                                 r"배운|학습|교훈|발견|인사이트|вывод|урок|узнал|извлеч|наблюден|находк|aprendizaje\w*|"
                                 r"lecciones|hallazgos|aprendido|aprendizad\w*|lições|descobertas|apprentissages?|"
                                 r"leçons|enseignements|découvertes|appris|erkenntnis\w*|gelernt\w*|lektionen|lehren")),
    (Section.NOTES, re.compile(r"备注|備註|说明|說明|メモ|備考|노트|비고|메모|примечан|заметк|notas|anmerkung\w*|hinweis\w*|"
                               r"notizen|remarques")),
    (Section.STATUS, re.compile(r"^(?:状态|狀態|状況|ステータス|상태|статус|estado|statut|stand|结果|結果|结论)$")),
    (Section.TASK, re.compile(r"^(?:任务|任務|タスク|작업|задача|tarea|tarefa|tâche|aufgabe|标题|标题)$")),
    (Section.DATE, re.compile(r"^(?:日期|时间|日付|날짜|дата|fecha|data|datum)$")),
    (Section.WORK, re.compile(r"完成内容|实现|完成了|実装|完了した|구현|완료|реализ|сделано|implement|hecho|feito|erledigt|"
                              r"umgesetzt|réalis")),
)  # fmt: skip
_NUMBERING = re.compile(r"^(?:\d+[.)]\s*|#+\s*)+")
_REMARK = re.compile(r"\s*[(（\[].*$")
_LONGEST = 70
_LONGEST_WITH_REMARK = 240


@lru_cache(maxsize=2048)
def section_of(name: str) -> Section | None:
    """Return what a heading or label of this name announces, None for names of no known meaning."""
    if len(name) > _LONGEST_WITH_REMARK:
        return None
    name = _NUMBERING.sub("", undecorated(plain(name)).casefold()).rstrip(" :：.!-–—*")
    bare = _REMARK.sub("", name)
    if not bare or len(bare) > _LONGEST:
        return None
    for section, pattern in _ENGLISH:
        if pattern.match(bare):
            return section
    for section, pattern in _STOPS:
        if pattern.match(bare):
            return section
    return next((section for section, pattern in _FOREIGN if pattern.search(bare)), None)


def is_named(text: str) -> bool:
    """Tell whether a text is nothing but the name of a section."""
    return section_of(text) is not None
