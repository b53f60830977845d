"""The one status model of stories, and the one table of words and marks for it.

Plans, headings and items of logs, passages, check-boxes and every output take their words and marks from
here. A new word is one word in a table; which patterns find it follows from the table it is in.
`plans.title_status` and `authored.heading` only find such words in titles.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum


class Status(StrEnum):
    """The status of a story; the values are the keys of every ``counts`` object."""

    DONE = "done"
    ACTIVE = "active"
    BLOCKED = "blocked"
    FAILED = "failed"
    SKIPPED = "skipped"
    PENDING = "pending"


FINISHED = frozenset({Status.DONE, Status.SKIPPED})
"""Nothing is left to do."""
OPEN = frozenset(Status) - FINISHED

SHOWN_WORDS: dict[str, str] = {
    Status.DONE: "complete",
    Status.ACTIVE: "in progress",
    Status.PENDING: "pending",
    Status.FAILED: "failed",
    Status.BLOCKED: "blocked",
    Status.SKIPPED: "skipped",
}
"""The words of every output, in the order of the legend."""
SHOWN_MARKS: dict[str, str] = {
    Status.DONE: "✓",
    Status.ACTIVE: "→",
    Status.PENDING: "○",
    Status.FAILED: "✗",
    Status.BLOCKED: "⊘",
    Status.SKIPPED: "–",
}
"""The marks of every output."""

# English first, then the words of translated plans. `_` stands for a space, a hyphen or nothing.
_WORDS: dict[Status, str] = {
    Status.DONE: """
        done completed complete closed pass passed passing implemented finished
        fertig abgeschlossen erledigt terminé terminée terminado completado completada hecho concluído
        concluída concluido concluida feito completato 完成 已完成 完了 완료 готово завершено""",
    Status.ACTIVE: """
        in_progress hooked review in_review pending_review active partial partially_complete incomplete wip
        ongoing started unfinished not_finished not_yet_finished half_done to_be_continued draft
        in_arbeit begonnen angefangen teilweise teilweise_fertig halb_fertig unfertig nicht_fertig
        noch_nicht_fertig läuft en_cours commencé partiel inachevé en_progreso en_curso empezado iniciado
        parcial incompleto sin_terminar em_andamento iniciada inacabado in_corso iniziato parziale
        incompiuto bezig 进行中 进行 未完成 部分完成 开发中 处理中 進行中 作業中 実装中 対応中 着手 着手済み
        途中 未完 未完了 レビュー待ち 진행중 작업중 미완료 в_работе начато частично не_завершено""",
    Status.BLOCKED: """
        blocked blockiert bloqueado bloqueada bloqué bloquée geblokkeerd bloccato bloccata zablokowane
        阻塞 已阻塞 заблокировано заблокирован""",
    Status.FAILED: "failed fail failing failure not_implemented fehlgeschlagen fallido échoué 失败 失敗",
    Status.SKIPPED: """
        skipped skip cancelled canceled deferred expanded wont_fix won_t_fix
        übersprungen cancelado cancelada annulé 已取消 已跳过""",
    Status.PENDING: """
        pending open todo not_started ready planned backlog queued pinned paused on_hold
        geplant offen ausstehend pausiert pendiente pendente en_pause en_pausa à_faire 未开始 待处理 待办
        未着手 保留 保留中""",
}
"""Which status a word means, in plans, agents' logs and fields."""
_ANSWERS: dict[Status, str] = {
    Status.DONE: "true yes success successful",
    Status.FAILED: "false error unsuccessful",
}
"""Words that are a status only as the whole value of a field or column that asks for one."""
_VERBS: dict[Status, str] = {
    Status.DONE: "complete completed done finish finished pass passed",
    Status.ACTIVE: "start started starting begin began",
    Status.FAILED: "fail failed",
    Status.SKIPPED: "skip skipped",
    Status.BLOCKED: "block blocked",
}
"""Words that say it of what follows them: `Started MILL-7`."""
MAKING_VERBS = ("implement", "implemented", "implementing")
"""Words that do so before the name of a unit alone, as in `Implemented story 4`: `S3 upload` is a title."""
_IN_TITLES = (
    "hooked", "review", "in_review", "pending_review", "active", "open", "todo", "ready", "planned",
    "backlog", "queued", "pinned", "expanded", "failure", "incomplete", "draft", "läuft", "着手", "途中",
    "保留",
)  # fmt: skip
"""Words that end titles as well: they are a status in brackets or by themselves, not after a mere dash."""

_MARKS = {
    "✅": Status.DONE,
    "☑": Status.DONE,
    "✔": Status.DONE,
    "✓": Status.DONE,
    "🔄": Status.ACTIVE,
    "🚧": Status.ACTIVE,
    "→": Status.ACTIVE,
    "⊘": Status.BLOCKED,
    "🚫": Status.BLOCKED,
    "⛔": Status.BLOCKED,
    "❌": Status.FAILED,
    "✗": Status.FAILED,
    "✘": Status.FAILED,
    "⏭": Status.SKIPPED,
    "○": Status.PENDING,
    "⏳": Status.PENDING,
    "⏸": Status.PENDING,
    "📋": Status.PENDING,
    "⬜": Status.PENDING,
    "☐": Status.PENDING,
    "🟢": Status.DONE,
    "🟡": Status.ACTIVE,
    "🔴": Status.BLOCKED,
}
"""Which status a mark or emoji means."""
_BOXES = {
    **dict.fromkeys("xX✓✔✅☑", Status.DONE),
    **dict.fromkeys("~/-", Status.ACTIVE),
    "!": Status.BLOCKED,
    **dict.fromkeys(" >", Status.PENDING),
}
"""What is between the brackets of a check-box."""

COLOURS = "🟢🟡🔴"
"""Marks that are as often a priority: beside words they count only where these say a status, too."""
DONE_MARKS = "".join(mark for mark, status in _MARKS.items() if status is Status.DONE)
TITLE_MARKS = "".join(mark for mark in _MARKS if mark not in COLOURS + "→")
"""Marks that part a title from a status wherever they are: `a → b` is a title."""
LEADING_MARKS = "".join(mark for mark in TITLE_MARKS if mark != "📋") + COLOURS
"""Marks that say it of the story whose id follows."""
ALL_MARKS = "".join(_MARKS)


def _table(of_status: dict[Status, str]) -> dict[str, Status]:
    return {word: status for status, words in of_status.items() for word in words.replace("_", "").split()}


STATE_WORDS = tuple(word for words in _WORDS.values() for word in words.split())
"""Words that are a status in brackets, in capitals or before a colon."""
WORDS_AFTER_DASH = tuple(word for word in STATE_WORDS if word not in _IN_TITLES)
"""Those that are one after a mere dash, too."""
VERBS = tuple(word for words in _VERBS.values() for word in words.split())
"""Verbs that precede a story."""

_BY_WORD = _table(_WORDS)
_BY_ANSWER = _BY_WORD | _table(_ANSWERS)
_BY_VERB = _table(_VERBS) | dict.fromkeys(MAKING_VERBS, Status.DONE)
_EDGES = re.compile(r"^(?:\[[ xX]\]|[\W_])+|[\W_]+$")
_JOINERS = re.compile(r"[\s\-_'’]+")
_WORD = re.compile(r"[^\W_]+")
_LONGEST_PHRASE = 3


def parse_status(text: str) -> Status | None:
    """Return the status that the value of a status field stands for, or None for a word of another language.

    Case, spaces, ``-``, ``_`` and emoji around it do not count; a mark counts where no known word is
    beside it.
    """
    return _by_word(text, _BY_ANSWER) or _by_mark(text)


def parse_wording(text: str) -> Status | None:
    """Return the status that a part of a title stands for, as `parse_status`: ``(error)`` names no status."""
    return _by_word(text, _BY_WORD) or _by_mark(text)


def parse_status_phrase(text: str) -> Status | None:
    """Return the status that free text begins with (``Completed on Monday``), or None.

    A word is trusted before a mark, and three words before one: "not implemented" is not "implemented".
    """
    words = _WORD.findall(text)[:_LONGEST_PHRASE]
    prefixes = ("".join(words[:length]).casefold() for length in range(len(words), 0, -1))
    found = (status for prefix in prefixes if (status := _BY_WORD.get(prefix)))
    return _by_word(text, _BY_WORD) or next(found, None) or _by_mark(text)


def parse_box(mark: str) -> Status | None:
    """Return the status of a check-box by what is between its brackets, or None for no known sign."""
    return _BOXES.get(mark)


def parse_verb(word: str) -> Status | None:
    """Return what a verb makes of the story after it, or None."""
    return _BY_VERB.get(word.casefold())


def parse_mark(text: str) -> Status | None:
    """Return the status of the mark that a text begins with, or None."""
    return _MARKS.get(text[:1])


def first_mark(text: str) -> Status | None:
    """Return the status of the first mark in a text, or None."""
    return next((status for sign in text if (status := _MARKS.get(sign))), None)


def pattern_of(words: Iterable[str]) -> str:
    """Return a pattern for any of these words of the table, the longest first; case is the caller's."""
    longest_first = sorted(set(words), key=lambda word: (-len(word), word))
    return "|".join(re.escape(word).replace("_", r"[\s\-_'’]{0,3}") for word in longest_first)


def _by_word(text: str, table: dict[str, Status]) -> Status | None:
    return table.get(_JOINERS.sub("", _EDGES.sub("", text)).casefold())


def _by_mark(text: str) -> Status | None:
    text = text.strip().strip("*`").strip()
    if text[:1] == "[":
        return parse_box(text[1]) if text[2:3] == "]" else None
    return None if text[:1] in COLOURS and _WORD.search(text) else parse_mark(text)
