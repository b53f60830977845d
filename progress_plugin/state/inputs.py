"""Read the plans and logs that were found in a project, in the order in which `decide` takes them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from progress_plugin.agent_logs.reader import read_agent_log
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.model.work import AgentLog, FoundFile, PlanDocument, all_items
from progress_plugin.plans.documents import read_plans, read_work_list
from progress_plugin.text.decode import DATA_FORMATS, document_text, json_or_none
from progress_plugin.text.markdown import blocks_of_section
from progress_plugin.text.redact import redact_lines

ReadText = Callable[[str], str | None]  # of a path relative to the root; None if it cannot be read


def read_redacted(
    snapshot: InputSnapshot,
    faults: dict[str, str],
    path: str,
    redact_section: Callable[[str], str] = redact_lines,
) -> str | None:
    """Return the text of a file by `document_text`, or None if it cannot be read.

    A problem is put into `faults` under the path. `redact_section` may be a cached `redact_lines`.
    """
    data = snapshot.read(path)
    if data is None:
        return None
    text, problem = document_text(data, path, redact_section)
    if problem:
        faults[path] = problem
    return text


class Inputs(NamedTuple):
    """The plans and logs of a project, the leading ones first, and one line for each invalid plan."""

    plans: tuple[PlanDocument, ...]
    logs: tuple[AgentLog, ...]
    problems: tuple[str, ...] = ()


def read_inputs(
    files: Sequence[FoundFile], read_text: ReadText, read_section: Callable[[str], Any] = blocks_of_section
) -> Inputs:
    """Read the files that were not passed over. A plan that lists no work is read as a log.

    The leading plan, if it is Markdown, is also read for its dated entries and learnings. Without any plan,
    lists of work in the logs take its place. `read_section` may be a cached `blocks_of_section`.
    """
    plans: list[PlanDocument] = []
    texts: list[tuple[FoundFile, str]] = []
    leading: list[tuple[FoundFile, str]] = []
    problems: list[str] = []
    for file in files:
        if file.role == "passed over":
            continue
        text = read_text(file.path)
        try:
            plans_of_file = _read_plans_of(file, text, read_text)
        except AgentProgressError as error:
            problems.append(str(error))
            continue
        plans += (plan._replace(changed_s=file.changed_s) for plan in plans_of_file)
        if text is None or file.path.lower().endswith(DATA_FORMATS):
            continue
        if not plans_of_file:
            texts.append((file, text))
        elif file.role == "leads":
            leading.append((file, text))
    ids = {item.id for plan in plans for item in all_items(plan.items) if item.id}
    logs = [read_agent_log(file.path, text, ids, read_section, file) for file, text in texts]
    if any(log.kind in {"state", "handoff"} for log in logs):  # these say what is current, so notes do not
        logs = [
            log._replace(focus=None, next_steps=(), blockers=(), items=()) if log.kind == "notes" else log
            for log in logs
        ]
    if not plans:
        lists = [
            read_work_list(log.path, text, log.entries, file.date)
            for log, (file, text) in zip(logs, texts, strict=True)
            if file.kind != "notes"
        ]
        plans = [plan for plan in lists if plan]
    lines = {(item.source.path, item.source.line) for plan in plans for item in all_items(plan.items)}
    logs += [
        _without_items(read_agent_log(file.path, text, ids, read_section), lines) for file, text in leading
    ]
    return Inputs(tuple(plans), tuple(logs), tuple(problems))


def _read_plans_of(file: FoundFile, text: str | None, read_text: ReadText) -> Sequence[PlanDocument]:
    """Return the plans of a file. Those read when it was found are not read again, unless a tag is active."""
    tag = _active_tag(file, read_text)
    if file.plans and not tag:
        return file.plans
    return read_plans(file.path, text, file.date, tag) if text is not None and file.kind == "plan" else ()


def _without_items(log: AgentLog, item_lines: Collection[tuple[str, int]]) -> AgentLog:
    """Keep the dated entries and the learnings in the document of a plan, and leave out its items."""
    entries = tuple(
        entry for entry in log.entries if entry.date and (log.path, entry.source.line) not in item_lines
    )
    numbers = {entry.number for entry in entries}
    lines = {each.source.line for each in log.learnings}
    statements = tuple(
        each
        for each in log.statements
        if each.form != "box" and (each.entry in numbers or not lines.isdisjoint(each.source.lines()))
    )
    return AgentLog(
        log.path, "log" if entries else "notes", entries, statements=statements, learnings=log.learnings
    )


def _active_tag(file: FoundFile, read_text: ReadText) -> str | None:
    """Return the active tag of Task Master for `tasks/tasks.json`, from `state.json` in the folder above."""
    folder, _, name = file.path.rpartition("/")
    if name != "tasks.json" or not folder:
        return None
    state = read_text(f"{folder.rpartition('/')[0]}/state.json".lstrip("/"))
    values = json_or_none(state or "")
    tag = values.get("currentTag") if isinstance(values, dict) else None
    return tag if isinstance(tag, str) else None
