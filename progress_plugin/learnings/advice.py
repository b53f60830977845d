"""Tell advice from record: what tells the reader what to do, or what will happen if not (S7.1)."""

from __future__ import annotations

import re

from progress_plugin.text.labels import plain, undecorated

_ORDER = re.compile(
    r"(?:always|never|avoid|use|don'?t|do not|must|ensure|make sure|prefer|run|set|pass|keep|wrap|call|check|"
    r"pin|require|"
    r"remember|add|install|configure|quote|escape|export|import|disable|enable|verify|specify|stick|switch|"
    r"避免|使用|不要|"
    r"务必|必须|usar|evitar|utiliser|éviter|verwende|vermeide|immer|nie|nunca|sempre|siempre|toujours|"
    r"jamais)\b",
    re.IGNORECASE,
)
_CAPITALS = re.compile(
    r"(?<![\w`\"'*-])MUST(?: NOT)?(?![\w`\"'-])|"
    r"(?:^|[.;:!—–-] )\W*(?:NEVER|ALWAYS|DO NOT|DON'T)(?![\w`\"'-])"  # elsewhere they only stress a report
)
_REASONED = re.compile(
    r"\b(?:required|needed|necessary|mandatory) (?:because|since|as|due to|or|otherwise)\b"
)
_ADVICE = re.compile(
    r"\b(?:must|should(?!er)|shall|always|never|only|requires?|required|needs?|need to|have to|has to|don'?t|"
    r"do not|"
    r"doesn'?t|does not|cannot|can'?t|won'?t|will not|not|avoid|ensure|make sure|remember|because|since|"
    r"otherwise|"
    r"instead|rather than|depends? on|builds on|will|unless|until|even if|even though|if|when(?:ever)?|"
    r"be careful|beware|prefer|recommended?|warns?|fails?|breaks?|limit(?:ed|ation)?s?|deprecated|workaround|"
    r"so that|to avoid|to prevent|in order|due to|use)\b|必须|需要|不能|不要|避免|否则|因为|如果|应该|注意|"
    r"必要|べき|しない|해야|필요|нужно|должн|нельзя|если|debe|deben|hay que|no se|si\b|deve|precisa|não|muss|"
    r"müssen|"
    r"nicht|wenn|doit|il faut|ne pas",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r"^[\w.()/-]+\s*:\s+")
_RECORD = re.compile(
    r"(?:\w+ly )?(?:added|created|implemented|fixed|updated|removed|modified|refactored|changed|moved|"
    r"renamed|extracted|"
    r"documented|verified|tested|wrote|built|introduced|replaced|completed|ran|cleaned|initialized|set up|"
    r"installed|"
    r"integrated|enhanced|improved|extended|converted|migrated|deleted|merged|committed|confirmed|reviewed|"
    r"used|chose|"
    r"original|user|each|i|we|marked|bumped|exposed|supports?|includes?|displays?|shows?|returns?)\b",
    re.IGNORECASE,
)


def lays_down(text: str) -> bool:
    """Tell whether a text lays down a rule: MUST anywhere, NEVER at the start, a need with a reason."""
    marked = "MUST" in text or "NEVER" in text or "ALWAYS" in text or "DO NOT" in text or "DON'T" in text
    stressed = marked and _CAPITALS.search(text)
    reasoned = ("required" in text or "needed" in text or "necessary" in text) and _REASONED.search(text)
    return bool(stressed or reasoned) and not is_record(text)


def orders(text: str) -> bool:
    """Tell whether a text begins with an order: `Use explicit targets`."""
    return bool(_ORDER.match(undecorated(plain(text))))


def advises(text: str) -> bool:
    """Tell whether a remark is of use to a later reader, and not only a record of what was done."""
    return bool(_ADVICE.search(text)) and not is_record(text)


def is_record(text: str) -> bool:
    """Tell whether a text begins by saying what was done: `Fixed the order of routes`."""
    return bool(_RECORD.match(_SUBJECT.sub("", undecorated(plain(text)))))
