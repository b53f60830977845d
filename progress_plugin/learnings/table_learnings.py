"""Find the learnings that are written as rows of a table."""

from __future__ import annotations

from progress_plugin.learnings.advice import orders
from progress_plugin.learnings.non_learnings import is_decoy
from progress_plugin.text.markdown import cells
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.section_names import TEACHING, SectionKind

_ERROR = LazyPattern(r"error|issue|problem|错误|錯誤|エラー|오류|fehler|erro|ошибк")
_CURE = LazyPattern(r"resol|solution|fix|workaround|解决|解決|対処|해결|lösung|soluci|soluç|решен")


class Tables:
    """Remembers the header of the table it is in."""

    def __init__(self) -> None:
        self._last = -2
        self._header: list[str] = []

    def learning_of(self, index: int, row: str, scope: SectionKind | None) -> str:
        """Return what the row of a block teaches, empty for nothing: the first row of a table is its header.

        In a section that teaches every row does. In a table of errors those do whose cure is an order; the
        others only record a repair.
        """
        columns = cells(row)
        begins = self._last != index - 1
        self._last = index
        if begins:
            self._header = [column.casefold() for column in columns]
            return ""
        if scope in TEACHING:
            text = " — ".join(column for column in columns if column)
            return "" if is_decoy(text) else text
        return self._advice(columns)

    def _advice(self, columns: list[str]) -> str:
        error = next((at for at, name in enumerate(self._header) if _ERROR.search(name)), len(columns))
        cure = next((at for at, name in enumerate(self._header) if _CURE.search(name)), len(columns))
        if max(error, cure) >= len(columns) or not orders(columns[cure]):
            return ""
        return f"{columns[error]} — {columns[cure]}"
