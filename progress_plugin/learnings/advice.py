"""Distinguish advice from record: what says what to do, or what will happen if not."""

from __future__ import annotations

import re

from progress_plugin.text.labels import plain, undecorated
from progress_plugin.text.patterns import LazyPattern

_ORDERS = (
    r"(?:always|never|avoid|use|don'?t|do not|must|ensure|make sure|prefer|run|set|pass|keep|wrap|call|"
    r"check|pin|require|remember|add|install|configure|quote|escape|export|import|disable|enable|verify|"
    r"specify|stick|switch|follow|read|write|commit|access|避免|使用|不要|务必|必须|usar|evitar|utiliser|éviter|verwende|vermeide|immer|"
    r"nie|nunca|sempre|siempre|toujours|jamais)\b"
)
_ORDER = LazyPattern(_ORDERS, re.IGNORECASE)
_LATER_ORDER = LazyPattern(rf"(?:\s[-–—]|;)\s+{_ORDERS}", re.IGNORECASE)
_CAPITALS = LazyPattern(
    r"(?<![\w`\"'*-])MUST(?: NOT)?(?![\w`\"'-])|"
    r"(?:^|[.;:!—–-] )\W{0,8}(?:NEVER|ALWAYS|DO NOT|DON'T)(?![\w`\"'-])"  # elsewhere they stress a report
)
_REASONED = LazyPattern(
    r"\b(?:required|needed|necessary|mandatory) (?:because|since|as|due to|or|otherwise)\b"
)
_ADVICE = LazyPattern(
    r"\b(?:must|should(?!er)|shall|always|never|only|requires?|required|needs?|need to|have to|has to|"
    r"don'?t|do not|doesn'?t|does not|cannot|can'?t|won'?t|will not|not|avoid|ensure|make sure|remember|"
    r"because|since|otherwise|instead|rather than|depends? on|builds on|will|unless|until|even if|"
    r"even though|if|when(?:ever)?|be careful|beware|prefer|recommended?|warns?|fails?|breaks?|limit(?:ed|"
    r"ation)?s?|deprecated|workaround|so that|to avoid|to prevent|in order|due to|use)\b|必须|需要|不能|"
    r"不要|避免|否则|因为|如果|应该|注意|必要|べき|しない|해야|필요|нужно|должн|нельзя|если|debe|deben|"
    r"hay que|no se|si\b|deve|precisa|não|muss|müssen|nicht|wenn|doit|il faut|ne pas",
    re.IGNORECASE,
)
_DONE = LazyPattern(
    r"(?:(?:[\w-]*[./][\w./-]+|[\w./-]+\(\))\s+)?(?:(?:was|were|is now|has been|foi|fue|"
    r"ha sido|wurde|a été|est|is) )?"
    r"(?:(?:created|added|removed|deleted|updated|moved|renamed|rewritten|refactored|installed|configured|"
    r"generated|fixed|merged|implemented)\b(?! (?:by|when|if|only|automatically|every))|"
    r"(?:cria|crea|añadi|adiciona|agrega|removi|elimina|actualiza|atualiza|implementa|corregi|corrigi|instala|"
    r"configura|verifica|movi|refatora|gera|conclu[ií]|completa|integra|migra|reescri)(?:d[oa]s?|t[oa]s?)\b|"
    r"(?:ajout|supprim|corrig|implément|modifi|déplac|install|cré|renomm|remplac)ée?s?\b|"
    r"mis(?:e|es)? à jour\b|"
    r"(?:hinzugefügt|erstellt|entfernt|behoben|umgesetzt|angepasst|ergänzt|eingeführt)\b|"
    r"(?:добавл|созда|удал|исправл|обновл|реализова|перенес|переименова|настро)\w+\b|"
    r"(?:已|新增|新建|添加了?|修复了?|完成了?|修正了?|创建了?|删除了?|追加(?:した)?|実装(?:した)?|修正(?:した)?))",
    re.IGNORECASE,
)
"""What was done to something, said with the participle, the thing's name before it or not."""
_SUBJECT = LazyPattern(r"^[\w.()/-]+\s*:\s+")
_RECORD = LazyPattern(
    r"(?:\w+ly )?(?:added|created|implemented|fixed|updated|removed|modified|refactored|changed|moved|"
    r"renamed|extracted|documented|verified|tested|wrote|built|introduced|replaced|completed|ran|cleaned|"
    r"initialized|set up|installed|integrated|enhanced|improved|extended|converted|migrated|deleted|merged|"
    r"committed|confirmed|reviewed|used|chose|original|user|i|we|marked|bumped|exposed|supports?|"
    r"includes?|displays?|shows?|returns?|will (?:continue|implement|add|fix|do)|continu\w+|started|"
    r"starting|working|ready|waiting)\b",
    re.IGNORECASE,
)


def lays_down(text: str) -> bool:
    """Return whether a text lays down a rule: MUST anywhere, NEVER at the start, a need with a reason."""
    marked = "MUST" in text or "NEVER" in text or "ALWAYS" in text or "DO NOT" in text or "DON'T" in text
    stressed = marked and _CAPITALS.search(text)
    reasoned = ("required" in text or "needed" in text or "necessary" in text) and _REASONED.search(text)
    return bool(stressed or reasoned) and not is_record(text)


def orders(text: str) -> bool:
    """Return whether a text begins with an order: `Use explicit targets`."""
    return bool(_ORDER.match(undecorated(plain(text))))


def advises(text: str) -> bool:
    """Return whether a remark is of use to a later reader, and not only a record of what was done."""
    return bool(_ADVICE.search(text) or _LATER_ORDER.search(text)) and not is_record(text)


def is_record(text: str) -> bool:
    """Return whether a text begins by saying what was done: `Fixed the order of routes`."""
    words = _SUBJECT.sub("", undecorated(plain(text)))
    return bool(_RECORD.match(words) or _DONE.match(words))
