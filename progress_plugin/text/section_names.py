"""What a heading or label of a log announces, in the words agents use for it.

Whether it is about blockers, next steps, files, checks or learnings is decided here (`section_of`).

One table serves both readers: entries need to know where files, status and next steps are, learnings
need to know where they begin and which label ends them.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

from progress_plugin.text.labels import plain, undecorated
from progress_plugin.text.patterns import LazyPattern


class SectionKind(StrEnum):
    """What is under a label."""

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
    BLOCKED = "blocked"
    """What is in the way."""
    OTHER = "other"
    """Decisions, figures: written for the record."""


TEACHING = frozenset({SectionKind.LEARNED, SectionKind.PATTERN, SectionKind.GOTCHA, SectionKind.DEPENDENCY})

# English: optional qualifiers, one head word, an optional tail. A word that is no qualifier, or a tail that
# goes on differently ("learnings sections", "insights enabled"), is about something else.
_QUALIFIERS = (
    r"(?:(?:the|our|my|some|new|key|main|major|important|notable|critical|core|useful|general|common|other|"
    r"more|additional|technical|structural|process|codebase|code|repo|repository|project|architectural|"
    r"architecture|design|reusable|consolidated|accumulated|established|current|recent|development|operational|environment|hand-?off|handover|setup|debug|"
    r"implementation|testing|test|debugging|workflow|session|sprint|iteration|phase|story|task|team|agent|"
    r"global|overall|final|quick|\d+|[\w-]+ability|known|potential|possible|discovered|project-specific|"
    r"cross-cutting)\s+){0,3}"
)
_TAIL = (
    r"(?:\s*(?:learn(?:ed|t)|discovered|encountered|identified|found|noted|noticed|observed|established|"
    r"flagged|so far|to (?:remember|follow|avoid|note|know)|worth \w+|(?:for|from|of|in|about|during|"
    r"on) (?:the |this |these |our |all |any |each |every )?(?:next|future|later|other|upcoming|subsequent|"
    r"session|iteration|story|stories|phase|sprint|task|feature|work|repo(?:sitory)?|codebase|project|run|"
    r"agents?|developers?|successors?|implementation)\b.*|(?:&|and|/|,|\+|or) (?:\w+ ){0,2}\w+))*"
)


# Before words that mean nothing else, any word but a verb may come: "Rust gotchas", not "removed gotchas".
_ANY = r"(?:(?!\w+ed\b|no\b|not\b|add\b|fix\b|see\b)[\w'-]+\s+){0,2}"
_PLAIN_GOTCHAS = r"gotchas?|pitfalls?|caveats|quirks|footguns?"
_PLAIN_LESSONS = r"takeaways?|learnings|lessons|lessons learn(?:ed|t)"
_GOTCHAS = (
    r"gotchas?|pitfalls?|caveats?|warnings?|watch[ -]?outs?|traps?|limitations?|concerns|quirks?|footguns?|"
    r"surprises|surprising \w+|heads[- ]up|dos? and don'?ts?|non-obvious \w+|what surprised (?:me|us)|"
    r"things to (?:avoid|watch(?: out for)?|be careful (?:about|with))|what (?:to avoid|"
    r"didn'?t work|did not work|failed|went wrong)|mistakes(?: to avoid| made)?|anti-?patterns?|avoid|"
    r"don'?ts?|beware|lessons from failures?"
)
_PATTERNS = (
    r"patterns?|conventions?|best practices|practices|useful context|what worked(?: well)?|what went well|"
    r"guidelines|rules of thumb|tips|tips (?:&|and) tricks|useful commands|how-?tos?|"
    r"(?:(?:hard|house|ground|golden|working|coding|binding|strict|operating|iron|safety) )?"
    r"(?:rules|constraints|invariants|principles)(?: that (?:are|must|hold|apply)\b.*)?|non-?negotiables?"
)
_DEPENDENCIES = r"dependenc(?:y|ies)(?: (?:discovered|found|notes))"
_LESSONS = (
    r"learnings?|lessons?|lesson learn(?:ed|t)|(?:what )?(?:we |i )?learn(?:ed|t)|takeaways?|take-aways?|"
    r"insights?|findings|key facts|what i wish (?:i|we) (?:had )?known?|discover(?:y|ies)|til|"
    r"knowledge(?: base)?|observations?|technical notes|"
    r"retrospective|notes? (?:for|to) (?:the )?(?:next|future)\b.*|(?:context|information|info|hints|"
    r"advice) for (?:the )?(?:next|future)\b.*|things (?:to (?:know|remember|note)|learned)|prevention|"
    r"remember|reminders|keep in mind|(?:good|worth) (?:to know|knowing|noting|remembering)"
)
_ENGLISH = LazyPattern(
    rf"(?:{_QUALIFIERS}(?:(?P<gotcha>{_GOTCHAS})|(?P<pattern>{_PATTERNS})|(?P<dependency>{_DEPENDENCIES})|"
    rf"(?P<learned>{_LESSONS})|(?:[\w-]+ )?(?P<notes>(?<!technical )notes?|remarks?|comments?|important))|"
    rf"{_ANY}(?:(?P<plain_gotcha>{_PLAIN_GOTCHAS})|(?P<plain_learned>{_PLAIN_LESSONS}))){_TAIL}\s*$"
)
_ADVISED = r"(?:approach|solution|option|librar|tool|pattern|architecture|setting|value|way|usage)"
"""How the name of what is recommended for good goes on: `Recommended approach` is no step."""
# What announces all else (blockers, status, files, next steps, checks, ids, dates, work) and so ends a
# section that teaches, by how the name begins; these words say nothing at the end of a name.
_OTHER_KINDS: tuple[tuple[SectionKind, LazyPattern], ...] = (
    (
        SectionKind.BLOCKED,
        LazyPattern(
            r"(?:(?:still|current|known|open|active|external|remaining|any|potential|outstanding) )?"
            r"(?:blockers?|blocked(?: (?:by|on|items?|tasks?|stories|work))?|"
            r"blocking(?: (?:issues?|items?))?|a?waiting(?: (?:on|for|user|review|approval))?)"
            r"(?:\s*(?:&|and|/|,|or) ?(?:\w+ ){0,2}\w+)?$|"
            r"(?:a?waiting|blocked) (?:on|for|by) (?!no)[\w' -]+$"
        ),
    ),
    (
        SectionKind.STATUS,
        LazyPattern(
            r"(?:\w+ )?(?:status|success|result|outcome|passes|state|position)$|session continuity$|"
            r"hand-?(?:off|over)$|where (?:we|i|it|things|this) (?:are|am|is|stands?|left off|stopped)$"
        ),
    ),
    (
        SectionKind.FILES,
        LazyPattern(r"(?:[\w/&]+ ){0,3}(?:files?|artifacts?|paths?)\b|modified$|created$|changed$"),
    ),
    (
        SectionKind.NEXT,
        LazyPattern(
            r"tomorrow$|still (?:to do|open)$|"
            r"(?:what'?s |what is )?(?:left|missing|unfinished|incomplete|not (?:yet )?(?:done|started|"
            r"implemented|working|verified))\b|tech(?:nical)? debt$|"
            r"(?:what'?s |\w+ ){0,2}(?:next|to-?dos?|follow-?ups?|remaining|upcoming|"
            rf"(?:recommend\w*|suggested)(?! (?:\w+ )?{_ADVISED})|"
            r"plan(?:ned)?|deferred|open|pending|future (?:work|enhancements?|improvements?|solution))\b"
        ),
    ),
    (
        SectionKind.CHECKS,
        LazyPattern(
            r"(?:\w+ ){0,3}(?:tests?|testing|verification|verified|checks?|criteria|validation|"
            r"quality gates?|results?|metrics|coverage|acceptance)\b"
        ),
    ),
    (
        SectionKind.TICKET,
        LazyPattern(
            r"worked on$|(?:(?:ticket|task|story|feature|issue|user story|work item) )?ids?$|"
            r"(?:story|user story|ticket|feature)$"
        ),
    ),
    (
        SectionKind.TASK,
        LazyPattern(
            r"(?:task|title|goal|objective|focus|subject|scope|task name|story title|"
            r"what was (?:implemented|done)|feature name)$"
        ),
    ),
    (
        SectionKind.DATE,
        LazyPattern(
            r"(?:date|completed(?: at| on)?|finished|timestamp|time|started(?: at)?|created(?: at)?|"
            r"last updated|updated|duration|when|ended)$"
        ),
    ),
    (
        SectionKind.WORK,
        LazyPattern(
            r"(?:\w+ ){0,2}(?:implement\w*|changes?|summary|work(?: done)?|done|completed|added|fix(?:es|"
            r"ed)?|deliverables?|accomplish\w*|enhancements?|improvements?|actions?(?: taken)?|updates?|"
            r"features?|description|overview|details|steps)\b"
        ),
    ),
    (
        SectionKind.OTHER,
        LazyPattern(
            r"(?:\w+ ){0,2}(?:blockers?|decisions?|issues?|bugs?|errors?|problems?|commits?|agents?|thread|"
            r"branch|project|stats?|statistics|structure|examples?|commands?|usage|impact|performance|"
            r"corrections?|analysis|root causes?|causes?|requirements?|objectives?|goals?|resources|"
            r"references|constraints?|phases?|stories|tickets|tasks)\b"
        ),
    ),
)


# Other languages: a stem anywhere in a short name decides, in this order.
def _stems(words: str) -> tuple[str, ...]:
    """Return the stems in a line of them; `_` stands for a space inside of one."""
    stems = words.split()
    return tuple([stem.replace("_", " ") for stem in stems] if "_" in words else stems)


_FOREIGN: tuple[tuple[SectionKind, tuple[str, ...]], ...] = (
    (SectionKind.FILES, _stems("文件 檔案 ファイル 파일 файл archivos arquivos fichiers dateien")),
    (
        SectionKind.NEXT,
        _stems(
            "下一步 下步 后续 後續 待办 待辦 待完成 待处理 待處理 剩余 剩餘 剩下 未完成 尚未 "
            "次の 次回 次に 残って 残り 残作業 残タスク 残課題 未完了 未着手 未対応 未実装 今後 "
            "다음 남은 미완료 следующ осталось оставш предстоит próxim siguiente pendiente restante restant "
            "prochain prossim rimanent volgende resterend kolejne następn pozostał "
            "pozostaj další zbývaj sonraki kalan_ nästa återstå nächste verbleibend restliche ausstehend "
            "còn_lại залишил à_faire offene"
        ),
    ),
    (
        SectionKind.BLOCKED,
        _stems("阻塞 卡点 ブロッカー 블로커 блокер bloqueo bloqueio bloqueur blockade"),
    ),
    (
        SectionKind.CHECKS,
        _stems(
            "验证 驗證 测试 測試 検証 テスト 검증 테스트 провер тест prueb verificaci verificaç vérificat "
            "prüf overenie ověření doğrula weryfik"
        ),
    ),
    (
        SectionKind.GOTCHA,
        _stems(
            "陷阱 踩坑 坑点 避坑 注意 警告 局限 落とし穴 함정 주의 подводн предупрежд осторожно ограничен "
            "気をつけ ハマ つまず 유의 грабл нюанс trampa advertencia cuidado limitaciones precauci "
            "errores_comunes a_tener_en_cuenta armadilha avisos limitaç pegadinha pontos_de_atenção piège "
            "avertissement écueil points_d'attention à_éviter fallstrick stolperstein warnung vorsicht "
            "achtung einschränkung insidie trappol attenzione valkuil aandachtspunt pułapk fallgrop "
            "tuzak dikkat lưu_ý تحذير zaskocz überrasch surpris sorprend sorpres surpreend verrast неожидан "
            "意外 想定外 予想外 예상_밖"
        ),
    ),
    (
        SectionKind.PATTERN,
        _stems(
            "模式 惯例 慣例 约定 約定 最佳实践 パターン 規約 패턴 관례 паттерн шаблон соглашен patrones "
            "convenciones buenas_prácticas padrões convenções boas_práticas bonnes_pratiques muster "
            "konventionen regeln grundsätze zasady reglas règles regras regole regels правила "
            "规则 規則 原则 規約 ルール 원칙 규칙 "
            "bewährte astuces consejos trucos コツ 技巧 小贴士 팁 노하우 tipps patronen "
            "wzorc vzory mönster kalıp советы"
        ),
    ),
    (
        SectionKind.LEARNED,
        _stems(
            "经验 經驗 教训 教訓 学到 學到 学习 發現 发现 收获 心得 要点 知见 知見 学び 学んだ 気づき "
            "気付き 得られた 배운 학습 교훈 발견 인사이트 вывод урок узнал извлеч наблюден находк "
            "aprendizaj lecciones hallazgos aprendid aprendizad lições descobertas apprentissage leçons "
            "enseignement découvertes appris à_retenir erkenntnis gelernt lektionen lehren 启示 反思 感悟 "
            "備忘 备忘 引き継ぎ 申し送り lezioni apprendiment imparat geleerd geleerde wnioski nauczy poučen "
            "zapamięta merken_für zu_merken da_ricordare para_recordar "
            "ponaučen zisten lärdom öğrenil bài_học kinh_nghiệm висновк pelajaran دروس"
        ),
    ),
    (
        SectionKind.NOTES,
        _stems(
            "备注 備註 说明 說明 メモ 備考 노트 비고 메모 참고 примечан заметк notas anmerkung hinweis "
            "notizen remarques opmerking uwagi poznámk anteckning notlar catatan ghi_chú ملاحظات"
        ),
    ),
    (
        SectionKind.WORK,
        _stems(
            "完成内容 实现 完成了 実装 完了した 구현 완료 реализ сделано hecho feito erledigt "
            "umgesetzt zrobion wykonan ukończon réalisé terminé fatto gedaan afgerond"
        ),
    ),
)
_FOREIGN_ASCII = tuple((section, tuple(filter(str.isascii, stems))) for section, stems in _FOREIGN)
_EXACT: dict[str, SectionKind] = {
    **dict.fromkeys(_stems("坑 ojo let_op"), SectionKind.GOTCHA),
    **dict.fromkeys(_stems("dicas consigli"), SectionKind.PATTERN),
    **dict.fromkeys(_stems("lessen lezione"), SectionKind.LEARNED),
    **dict.fromkeys(
        _stems(
            "状态 狀態 状態 状況 現状 现状 当前状态 目前状态 現在の状態 現在の状況 ステータス 상태 현재_상태 "
            "현황 진행_상황 статус текущее_состояние текущий_статус estado estado_actual estado_atual "
            "statut état_actuel état zustand stand aktueller_stand stato 结果 結果 结论"
        ),
        SectionKind.STATUS,
    ),
    **dict.fromkeys(
        _stems(
            "blockiert blockiert_durch blockiert_von bloqué bloquée bloqués bloqué_par bloquée_par bloquant "
            "bloquants bloqueado bloqueada bloqueados bloqueado_por bloqueada_por geblokkeerd bloccato "
            "geblokkeerd_door bloccata bloccato_da zablokowane zablokowany zablokowane_przez zablokováno "
            "blockerad blockerat blokkert "
            "заблокировано заблокирован заблокирована blokováno engellendi ブロック ブロック中 ブロッカー "
            "차단됨 受阻 已阻塞"
        ),
        SectionKind.BLOCKED,
    ),
    **dict.fromkeys(
        _stems(
            "offen noch_offen ausstehend noch_zu_tun falta faltan lo_que_falta por_hacer a_fazer o_que_falta "
            "falta_fazer reste il_reste reste_à_faire da_fare resta_da_fare te_doen nog_te_doen openstaand "
            "do_zrobienia pozostało zostało zbývá återstår yapılacak yapılacaklar"
        ),
        SectionKind.NEXT,
    ),
    **dict.fromkeys(_stems("任务 任務 タスク 작업 задача tarea tarefa tâche aufgabe 标题"), SectionKind.TASK),
    **dict.fromkeys(_stems("日期 时间 日付 날짜 дата fecha data datum"), SectionKind.DATE),
}
_PUT_OFF = LazyPattern(
    r"\W*(?:deferred|postponed|parked|icebox|rejected|(?:will )?not (?:planned|doing)|won'?t (?:do|fix)|"
    r"non-goals?)\b|.*\b(?:out[- ]of[- ]scope|deferrals?)\b",
    re.IGNORECASE,
)
_BUT_MEANT = LazyPattern(r"\b(?:next|pending|open|to-?dos?|remaining)\b", re.IGNORECASE)
"""What its name has where it is one of steps as well: `Deferred / notes for the next iteration`."""
_NUMBERING = LazyPattern(r"^(?:\d+[.)]\s*|#+\s*)+")
_REMARK = LazyPattern(r"\s*[(（\[].*$")
_TRANSLATED = LazyPattern(r"\s*[(（\[]([a-z][a-z' &/-]{3,40})[)）\]]\Z")
"""What forms in two languages say behind the name of a section: `既知の問題 (Known Issues)`."""
_NOT_DONE = LazyPattern(r"\(\s*(?:not (?:yet )?(?:\w+ed|done|begun|run|built|written)|not yet|to-?do)\b")
"""What a name says of all that is below it: `More checks (not yet executed)`."""
_LONGEST = 70
_LONGEST_WITH_REMARK = 240


@lru_cache(maxsize=2048)
def section_of(name: str) -> SectionKind | None:
    """Return what a heading or label of this name announces, None for names of no known meaning."""
    if len(name) > _LONGEST_WITH_REMARK:
        return None
    name = undecorated(_NUMBERING.sub("", undecorated(plain(name)).casefold())).rstrip(" :：.!-–—*")
    bare = _REMARK.sub("", name)
    if not bare or len(bare) > _LONGEST:
        return None
    teaching = _ENGLISH.match(bare)
    if teaching and teaching.lastgroup:
        return SectionKind(teaching.lastgroup.removeprefix("plain_"))
    if bare != name and _NOT_DONE.search(name, len(bare)):
        return SectionKind.NEXT
    for section, pattern in _OTHER_KINDS:
        if pattern.match(bare):
            return section
    if bare in _EXACT:
        return _EXACT[bare]
    for section, stems in _FOREIGN_ASCII if bare.isascii() else _FOREIGN:
        if any(map(bare.__contains__, stems)):
            return section
    translated = None if bare.isascii() else _TRANSLATED.match(name, len(bare))
    return section_of(translated[1]) if translated else None


@lru_cache(maxsize=2048)
def puts_off(name: str) -> bool:
    """Return whether a heading or label announces what nobody is going to do for now."""
    return bool(_PUT_OFF.match(name)) and not _BUT_MEANT.search(name)
