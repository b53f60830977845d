"""Bytes that look like what each journey expects, with something wrong in them."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from hypothesis import strategies as st

from tests.torture.hostile_text import HOSTILE

_TABLE = """
    id title name notes status passes passed completed blocked inProgress attempts dependsOn
    dependencies phases tasks userStories stories items features project branchName optimization
    progressSummary maxContextTokens subtasks version entries timestamp type data spec task_id
    description issue learnings files_modified retracts resolves metadata total_entries supplements
    key files size mtime count oldest newest hidden format plans logs head statuses counts about cwd
    session_id source tool_input file_path task_subject tool_name command US-1 US-2 done in_progress
    failed task_completed task_blocked session_started 1.0 2.0 0.9 2026-03-01T10:00:00Z master
"""
WORDS = _TABLE.split()
_WORDS = st.sampled_from(WORDS)
_ODD = st.sampled_from(
    [
        *(text[:300] for text in HOSTILE.values()),
        "",
        " ",
        "\x00",
        "\ud800",
        "9" * 400,
        "2026-99-99",
        "0000-00-00T00:00:00Z",
    ]
)
_TEXT = st.one_of(_WORDS, _ODD, st.text(max_size=40))
_NUMBER = st.one_of(
    st.integers(-3, 5), st.integers(), st.floats(), st.sampled_from([2**63, -(2**63), 10**40, 1e308, 0.1])
)
_LEAF = st.one_of(st.none(), st.booleans(), _NUMBER, _TEXT)


def _containers(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(children, max_size=5) | st.dictionaries(_TEXT, children, max_size=8)


VALUES = st.recursive(_LEAF, _containers, max_leaves=30)
_STORY = st.fixed_dictionaries({}, optional={
    "id": _LEAF, "title": _LEAF, "passes": _LEAF, "status": _LEAF, "dependsOn": VALUES, "attempts": _LEAF,
    "notes": VALUES, "subtasks": VALUES, "completedAt": _LEAF, "blocked": _LEAF,
})  # fmt: skip
_PLAN = st.fixed_dictionaries({"userStories": st.lists(_STORY, max_size=6)}, optional={
    "project": _LEAF, "branchName": _LEAF, "optimization": VALUES, "legend": VALUES, "name": _LEAF,
})  # fmt: skip
_ENTRY = st.fixed_dictionaries({}, optional={
    "id": _LEAF, "timestamp": _LEAF, "type": _LEAF, "spec": _LEAF, "task_id": _LEAF, "data": VALUES,
})  # fmt: skip
_LOG = st.fixed_dictionaries({"entries": st.lists(_ENTRY, max_size=6)}, optional={
    "version": _LEAF, "project": _LEAF, "metadata": VALUES,
})  # fmt: skip
_LINE = st.one_of(
    _TEXT,
    _TEXT.map(lambda text: f"## {text}"),
    _TEXT.map(lambda text: f"## 2026-03-01 - US-001: {text}"),
    _TEXT.map(lambda text: f"- [x] 1. {text}"),
    _TEXT.map(lambda text: f"### Phase 1: {text}\n**Status:** {text}"),
    _TEXT.map(lambda text: f"  - **Gotcha:** {text}"),
    st.sampled_from(
        ["---", "```", "~~~", "**Learnings:**", "| a | b |", "<<<<<<< HEAD", "=======", ">>>>>>> side", "\r"]
    ),
)
_CONFIG = st.lists(
    st.tuples(_WORDS | st.sampled_from(["max_learnings", "inject", "plan", "log_files", "project"]), VALUES),
    max_size=6,
)


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


def _toml(pairs: list[tuple[str, Any]]) -> bytes:
    return "\n".join(f"{key} = {json.dumps(value)}" for key, value in pairs).encode()


@st.composite
def _broken(draw: st.DrawFn, whole: st.SearchStrategy[bytes]) -> bytes:
    """Cut, double or damage a whole piece somewhere."""
    data = draw(whole)
    start, end = sorted((draw(st.integers(0, len(data))), draw(st.integers(0, len(data)))))
    with_what = draw(st.sampled_from([b"", b"\x00", b"\xff\xfe", b"\r\n", b"[" * 3000, data[start:end] * 2]))
    return data[:start] + with_what + data[end:]


def _any_state(whole: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    utf_16 = whole.map(lambda data: data.decode("utf-8", "replace").encode("utf-16"))
    return st.one_of(
        whole, _broken(whole), st.binary(max_size=60), utf_16, whole.map(lambda data: b"\xef\xbb\xbf" + data)
    )


_MARKDOWN = st.lists(_LINE, max_size=25).map(lambda lines: "\n".join(lines).encode("utf-8", "replace"))
_LOGS, _PLANS, _VALUES = _LOG.map(_json), (_PLAN | VALUES).map(_json), VALUES.map(_json)

SHAPES: dict[str, st.SearchStrategy[bytes]] = {
    name: _any_state(whole)
    for name, whole in {
        "prd.json": _PLANS,
        "progress.md": _MARKDOWN,
        "task_plan.md": _MARKDOWN,
        ".beads/issues.jsonl": st.lists(_STORY.map(_json), max_size=6).map(b"\n".join),
        ".taskmaster/tasks/tasks.json": st.fixed_dictionaries({"tasks": st.lists(_STORY, max_size=5)}).map(
            _json
        )
        | _VALUES,
        ".agent-os/specs/x/tasks.md": _MARKDOWN,
        ".agent-os/progress/config.toml": _CONFIG.map(_toml),
        ".agent-os/progress/progress.json": _LOGS,
        ".agent-os/progress/archive/index.json": _VALUES,
        "baseline.json": _VALUES,
        ".git/HEAD": _TEXT.map(lambda text: f"ref: refs/heads/{text}".encode("utf-8", "replace")),
        "hook input": _VALUES,
        "append": _LOGS,
        "compact_ids": st.lists(VALUES, max_size=5).map(_json),
        "search": _TEXT.map(lambda text: text.encode("utf-8", "replace")),
    }.items()
}


class Repeated(NamedTuple):
    """A structure of which there may be as much as anybody likes."""

    head: bytes
    part: bytes
    """`{i}` in it is the number of the round."""
    between: bytes
    end: bytes

    def times(self, number: int) -> bytes:
        """Return the structure with so many parts."""
        parts = [self.part.replace(b"{i}", str(at).encode()) for at in range(number)]
        return self.head + self.between.join(parts) + self.end


_NUMBERED = _LINE | st.sampled_from(
    ["- item {i}", "## US-{i}: x", "US-{i}", "**L{i}:** x", "| a{i} | b |", "x{i}"]
)
_REPEATED_LINES = st.builds(
    lambda head, part, between: Repeated(
        "".join(f"{line}\n" for line in head).encode("utf-8", "replace"),
        "\n".join(part).encode("utf-8", "replace"), between, b"\n",
    ),
    st.lists(_LINE, max_size=2), st.lists(_NUMBERED, min_size=1, max_size=3), st.sampled_from([b"\n", b"\n\n", b""]),
)  # fmt: skip


def _repeated_members(holder: str, member: st.SearchStrategy[Any]) -> st.SearchStrategy[Repeated]:
    """Return lists of one member over and over, and objects of as many keys."""
    numbered = st.tuples(member, st.sampled_from(["id", "title", "name", "status", "task_id", "type"])).map(
        lambda drawn: {**drawn[0], drawn[1]: "{i}"}
    )
    lists = (numbered | member).map(
        lambda one: Repeated(f'{{"{holder}": ['.encode(), _json(one), b", ", b"]}")
    )
    keys = member.map(lambda one: Repeated(b'{"a": 1, ', b'"{i}": ' + _json(one), b", ", b"}"))
    cut = lists.map(lambda one: one._replace(end=b""))
    return st.one_of(lists, keys, cut)


REPEATED: dict[str, st.SearchStrategy[Repeated]] = {
    **dict.fromkeys(("progress.md", "task_plan.md", ".agent-os/specs/x/tasks.md"), _REPEATED_LINES),
    "prd.json": _repeated_members("userStories", _STORY),
    ".taskmaster/tasks/tasks.json": _repeated_members("tasks", _STORY),
    ".beads/issues.jsonl": _STORY.map(lambda one: Repeated(b"", _json({**one, "id": "b-{i}"}), b"\n", b"\n")),
    ".agent-os/progress/config.toml": st.just(Repeated(b"", b"key{i} = 1", b"\n", b"\n")),
    ".agent-os/progress/progress.json": _repeated_members("entries", _ENTRY),
    ".agent-os/progress/archive/index.json": _repeated_members("files", _ENTRY),
    "append": _repeated_members("entries", _ENTRY),
    "hook input": _repeated_members("tool_input", _ENTRY),
    "compact_ids": VALUES.map(lambda one: Repeated(b"[", _json(one), b", ", b"]")),
    "search": _TEXT.map(lambda text: Repeated(b"", text.encode("utf-8", "replace"), b" ", b"")),
}
"""What a fuzzer may make much of; sizes are doubled, and the work counted."""
