"""Read the files that are named like plans and logs; keep those that are such by their name or text."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from progress_plugin.core.files import leads_outside
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.model.work import FoundFile
from progress_plugin.plans.task_files import TaskFile, read_task_files
from progress_plugin.sources.names import Match, NameRow
from progress_plugin.sources.project_files import has_object_id
from progress_plugin.sources.ranking import Candidate
from progress_plugin.sources.recognition import MIN_ITEMS, Structure, recognise_document, recognise_plan
from progress_plugin.text.decode import DATA_FORMATS, document_text
from progress_plugin.text.patterns import LazyPattern

MAX_READ = 120  # files, not counting task files
MAX_READ_PER_FORMAT = 25
MAX_FILE_BYTES = 64 << 20
MAX_TOTAL_BYTES = 96 << 20

_PROBE = 8192
_HEAD_CHARS = 500
_GENERATED = LazyPattern(r"(?i)\bgenerated (?:from|by) [`'\"]?([\w./-]+\.(?:md|json|ya?ml))\b")
_TOO_MANY = f"{MAX_READ_PER_FORMAT} files of this kind, or {MAX_READ} in all, come before it"
_NOT_A_PLAN = "no list of work"
_NOT_A_TASK = "no task with a status"
_NOT_A_LOG = "fewer than two entries or tasks"


@dataclass(slots=True)
class FileReader:
    """Reads files through a snapshot, within limits for their number and size."""

    snapshot: InputSnapshot
    bytes_left: int = MAX_TOTAL_BYTES

    def read(
        self, files: Sequence[FoundFile], matches: Mapping[str, Match]
    ) -> tuple[list[Candidate], list[FoundFile]]:
        """Return the candidates, and the files that are passed over, each with the reason for it.

        `files` are read in the given order until a limit is reached: the most important ones come first.
        """
        kept: list[Candidate] = []
        passed_over: list[FoundFile] = []
        counts: Counter[str] = Counter()
        tasks: dict[str, list[tuple[FoundFile, str]]] = defaultdict(list)
        for file in files:
            match = matches[file.path]
            if match.row.trust == "item" and not match.reason:
                tasks[_folder_of_tasks(file.path, match.row)].append(self._text_of(file))
                continue
            is_one_too_many = counts.total() >= MAX_READ or counts[file.format] >= MAX_READ_PER_FORMAT
            reason = match.reason or (_TOO_MANY if is_one_too_many else "")
            candidate = file if reason else self._read_one(file, match.row)
            counts[file.format] += not reason
            if isinstance(candidate, Candidate):
                kept.append(candidate)
            else:
                passed_over.append(candidate._replace(role="passed over", reason=reason or candidate.reason))
        for folder, texts in tasks.items():
            plan = _candidate_of_tasks(folder, texts)
            kept += [plan] if plan else []
            for file, _ in texts:
                if file.reason or not plan:
                    passed_over.append(file._replace(role="passed over", reason=file.reason or _NOT_A_TASK))
        return kept, passed_over

    def _read_one(self, file: FoundFile, row: NameRow) -> Candidate | FoundFile:
        """Return the file as a candidate, or the file with the reason why it is passed over."""
        file, text = self._text_of(file)
        if file.reason:
            return file
        is_plan = row.kind == "plan"
        structure = recognise_plan(file.path, text, file.date) if is_plan else recognise_document(text)
        if structure.problem:
            return file._replace(reason=structure.problem, is_unreadable=True)
        if not _is_of_kind(file, row, structure):
            return file._replace(reason=_NOT_A_PLAN if is_plan else _NOT_A_LOG)
        return Candidate(file._replace(plans=structure.plans if is_plan else None), structure, row.trust)

    def _text_of(self, file: FoundFile) -> tuple[FoundFile, str]:
        """Return a file and its text, or the file with the reason why it is passed over."""
        data, reason = self._bytes_of(file.path)
        if data is None:
            return file._replace(reason=reason, is_unreadable=True), ""
        if file.object_id and not has_object_id(data, file.object_id):
            modified_s = self.snapshot.modified_ns(file.path) // 10**9
            file = file._replace(object_id="", changed_s=modified_s)
        text, problem = document_text(data, file.path, str)  # secrets are redacted when text is shown
        if not text.strip():
            return file._replace(reason="empty"), ""
        if "\0" in text[:_PROBE] or (problem and b"\0" in data[:_PROBE]):
            return file._replace(reason="binary, not text; save it as UTF-8", is_unreadable=True), ""
        if generated := _GENERATED.search(text[:_HEAD_CHARS]):
            return file._replace(reason=f"generated from {generated[1]}"), ""
        return file, text

    def _bytes_of(self, path: str) -> tuple[bytes | None, str]:
        """Return the content of a file, or None and the reason why it cannot be read."""
        absolute = os.path.join(self.snapshot.root, path)
        if leads_outside(self.snapshot.root, path):
            return None, "a link out of the project; copy the file into the project to have it read"
        size = os.stat(absolute).st_size if os.path.exists(absolute) else 0
        if size > MAX_FILE_BYTES:
            self.snapshot.note(path)
            return None, f"larger than {MAX_FILE_BYTES >> 20} MiB; move old entries into an archive folder"
        if size > self.bytes_left:
            self.snapshot.note(path)
            return None, "the files read before it reach the limit; move old files into an archive folder"
        data = self.snapshot.read(path)
        if data is None:
            return None, "cannot be read; make it a regular file that you may read"
        self.bytes_left -= len(data)
        return data, ""


def _folder_of_tasks(path: str, row: NameRow) -> str:
    """Return the folder whose task files are one plan; of `.trellis/tasks/*` it is `.trellis/tasks`."""
    folder = path.rpartition("/")[0]
    return folder.rpartition("/")[0] if row.folder.endswith("/*") else folder


def _candidate_of_tasks(folder: str, texts: Sequence[tuple[FoundFile, str]]) -> Candidate | None:
    """Return a folder of task files as one plan; None if no file in it is a task."""
    plan = read_task_files(folder, [TaskFile(file.path, text, file.date) for file, text in texts if text])
    if plan is None:
        return None
    newest_s = max(file.changed_s for file, _ in texts)
    file = FoundFile(folder, "plan", texts[0][0].format, "read", "", newest_s, plans=(plan,))
    return Candidate(file, Structure((plan,)), "name")


def _is_of_kind(file: FoundFile, row: NameRow, structure: Structure) -> bool:
    """Return whether a file is of the kind that its name suggests: by its name alone, or by its structure."""
    if row.trust in ("name", "beside"):
        return True
    if row.kind == "plan":
        least = 1 if file.path.lower().endswith(DATA_FORMATS) else MIN_ITEMS
        return len(structure.items) >= least
    return structure.kind is not None and (row.kind != "log" or structure.kind != "state")
