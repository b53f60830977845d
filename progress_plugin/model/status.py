"""The one status model of stories, whatever the words of the file they stand in (S5.4)."""

from __future__ import annotations

import re
from enum import StrEnum


class Status(StrEnum):
    """Where a story stands; the values are the keys of every ``counts`` object."""

    DONE = "done"
    ACTIVE = "active"
    BLOCKED = "blocked"
    FAILED = "failed"
    SKIPPED = "skipped"
    PENDING = "pending"


FINISHED = frozenset({Status.DONE, Status.SKIPPED})
"""Nothing is left to do."""
OPEN = frozenset(Status) - FINISHED

# English first, then the words of translated plans (S5.3); spaces and hyphens are left out.
_WORDS: dict[Status, str] = {
    Status.DONE: """
        done completed closed pass passed passing complete implemented
        fertig abgeschlossen erledigt terminé terminée terminado completado completada hecho concluído
        concluída feito completato 完成 已完成 完了 готово завершено""",
    Status.ACTIVE: """
        inprogress hooked review inreview pendingreview active partial
        inarbeit enprogreso encurso encours emandamento incorso 进行中 進行中 вработе""",
    Status.BLOCKED: "blocked blockiert bloqueado bloqueada bloqué 阻塞 已阻塞 заблокировано",
    Status.FAILED: "failed notimplemented fehlgeschlagen fallido échoué 失败 失敗",
    Status.SKIPPED: """
        skipped cancelled canceled deferred expanded wontfix
        übersprungen cancelado cancelada annulé 已取消 已跳过""",
    Status.PENDING: """
        pending open todo notstarted ready planned backlog queued pinned
        geplant offen ausstehend pendiente pendente àfaire 未开始 待处理 待办 未着手""",
}
_BY_WORD = {word: status for status, words in _WORDS.items() for word in words.split()}
_BY_MARK = {
    "✅": Status.DONE,
    "☑": Status.DONE,
    "✔": Status.DONE,
    "✓": Status.DONE,
    "[x]": Status.DONE,
    "🔄": Status.ACTIVE,
    "🚧": Status.ACTIVE,
    "→": Status.ACTIVE,
    "[~]": Status.ACTIVE,
    "[/]": Status.ACTIVE,
    "[-]": Status.ACTIVE,
    "⊘": Status.BLOCKED,
    "🚫": Status.BLOCKED,
    "⛔": Status.BLOCKED,
    "❌": Status.FAILED,
    "✗": Status.FAILED,
    "⏭": Status.SKIPPED,
    "[ ]": Status.PENDING,
    "○": Status.PENDING,
    "⏳": Status.PENDING,
    "⏸": Status.PENDING,
    "📋": Status.PENDING,
    "⬜": Status.PENDING,
}
_EDGES = re.compile(r"^(?:\[[ xX]\]|[\W_])+|[\W_]+$")
_JOINERS = re.compile(r"[\s\-_'’]+")
_WORD = re.compile(r"[^\W_]+")
_LONGEST_PHRASE = 3


def parse_status(text: str) -> Status | None:
    """Return the status a word or mark stands for, or None for a word of another language.

    Case, spaces, ``-``, ``_`` and emoji around it do not count; a mark counts where no known word stands
    beside it.
    """
    return _by_word(text) or _by_mark(text)


def parse_status_phrase(text: str) -> Status | None:
    """Return the status that free text begins with (``Completed on Monday``), or None.

    A word is trusted before a mark, and three words before one: "not implemented" is not "implemented".
    """
    words = _WORD.findall(text)[:_LONGEST_PHRASE]
    prefixes = ("".join(words[:length]).casefold() for length in range(len(words), 0, -1))
    found = (status for prefix in prefixes if (status := _BY_WORD.get(prefix)))
    return _by_word(text) or next(found, None) or _by_mark(text)


def _by_word(text: str) -> Status | None:
    return _BY_WORD.get(_JOINERS.sub("", _EDGES.sub("", text)).casefold())


def _by_mark(text: str) -> Status | None:
    text = text.strip().strip("*`").strip().casefold()
    return next((status for mark, status in _BY_MARK.items() if text.startswith(mark)), None)
