"""Our own code goes through the doors: files are opened, listed and git is started in one place each."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

OPENING = {
    "core/files/safe_read.py": "the reader",
    "core/files/atomic_file.py": "the writer",
    "core/fast/minimal_os.py": "the start that imports nothing: its own cache",
    "core/fast/start_cache.py": "the start that imports nothing: names to compare",
    "core/files/lock.py": "takes and holds the lock file",
    "core/files/input_records.py": "lists the root: which names are not there at all",
    "core/fast/notes_told_already.py": "the hook that imports nothing: what a session was told, in its own folder",
    "core/fast/shown_sessions.py": "the same of projects that have nothing of ours: a line of hashes in the user's data",
    "core/fast/session_directory.py": "writes into the user's cache, before `os` is loaded",
    "team/bounded_connection.py": "what the system says of this process's memory",
    "core/memo.py": "lists our own code and the user's cache",
    "recall/index_file.py": "in the user's cache directory",
    "recall/index_removal.py": "in the user's cache directory",
    "core/version.py": "the plugin's own list of packages",
    "core/packages/old_environments.py": "environments, in the user's data directory",
    "core/fast/install_attempts.py": "notes about builds, in the user's data directory",
    "core/fast/begun_sessions.py": "notes of begun sessions, in the user's data directory",
    "core/fast/summary_request.py": "an empty file that is new, in our own folder",
    "core/standard_streams.py": "the null device",
    "mcp/protocol.py": "the null device",
    "log/writer_identity.py": "which hosts' names there are in the user's data directory",
    "memory/compaction_log.py": "in the user's data directory",
    "memory/database.py": "an empty file beside the user's database",
    "memory/network_disk.py": "the system's table of mounts",
    "report/page.py": "the plugin's own style sheet",
    "config/document.py": "a program of the repository: writes its documents",
    "usecases/demo.py": "a copy of the example, thrown away",
    "usecases/hook_timing.py": "a copy of the example, thrown away",
    "usecases/doctor/recording.py": "a copy of the example, thrown away",
    "usecases/install/plugin_copy.py": "a copy of the plugin itself, in the user's data directory",
    "cli/error_exit.py": "the null device",
}
"""Modules that open or list files themselves, and which; whatever a project could bring goes through the reader."""

NAMES = {"open", "exec", "eval", "__import__", "compile"}
CALLS = {
    "open", "fdopen", "open_code", "listdir", "scandir", "walk", "fwalk", "read_text", "read_bytes", "iterdir", "glob", "rglob",
    "iglob", "getline", "getlines", "copyfile", "copy", "copy2", "copytree", "move", "mmap", "memfd_create", "sendfile",
}  # fmt: skip
ONLY_ON = {
    "copy": {"shutil"},
    "move": {"shutil"},
    "open": {"os", "io", "system", "posix", "codecs", "tokenize", "Path"},
}
"""Methods of that name that belong to many things count on these alone."""
ENDS = {"replace", "rename", "unlink", "remove", "rmtree", "link", "symlink", "truncate", "utime", "chmod"}


@cache
def package() -> tuple[tuple[str, tuple[ast.AST, ...]], ...]:
    """Return every module of the package by its path, as the nodes of its tree; parsed and walked once for all."""
    top = REPOSITORY / "progress_plugin"
    return tuple(
        (path.relative_to(top).as_posix(), tuple(ast.walk(ast.parse(path.read_text("utf-8")))))
        for path in sorted(top.rglob("*.py"))
    )


@pytest.fixture(scope="module", autouse=True)
def _forgotten() -> Iterator[None]:
    """Free the nodes after the last test: the collector of garbage would look at them for all tests to come."""
    yield
    package.cache_clear()


def openings(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the calls among the nodes of a module that open or list files."""
    found = set()
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        if isinstance(called, ast.Name) and called.id == "open":
            found.add("open")
        if isinstance(called, ast.Attribute) and called.attr in CALLS:
            owner = called.value.id if isinstance(called.value, ast.Name) else ""
            if called.attr not in ONLY_ON or owner in ONLY_ON[called.attr]:
                found.add(f"{owner}.{called.attr}")
    return found


def test_only_named_modules_open_or_list_files_themselves() -> None:
    found = {name: openings(nodes) for name, nodes in package()}
    assert {name for name, calls in found.items() if calls} == set(OPENING)


def test_what_counts_as_opening_is_noticed_in_whatever_way_it_is_written() -> None:
    for text in ("open('x')", "os.open('x', 0)", "Path('x').read_text()", "os.listdir('.')", "io.open('x')", "shutil.copy(a, b)",
                 "system.open('x', 0)", "p.iterdir()"):  # fmt: skip
        assert openings(ast.walk(ast.parse(text))), text
    for text in ("webbrowser.open(x)", "values.copy()", "json.loads(x)", "safe_read.read('x', None)"):
        assert not openings(ast.walk(ast.parse(text))), text


def test_git_is_named_as_a_program_in_one_module_alone() -> None:
    found = {
        name
        for name, nodes in package()
        for node in nodes
        if isinstance(node, ast.Call)
        for argument in (
            *node.args,
            *(part for each in node.args if isinstance(each, ast.List) for part in each.elts),
        )
        if isinstance(argument, ast.Constant) and argument.value == "git"
    }
    lists = {
        name
        for name, nodes in package()
        for node in nodes
        if isinstance(node, ast.List | ast.Tuple) and node.elts
        if isinstance(node.elts[0], ast.Constant) and node.elts[0].value == "git"
    }
    assert found | lists == {"core/git.py"}


SAYING = {
    "core/errors.py": "the one that says it",
    "core/standard_streams.py": "the output, which is no disk",
    "core/version.py": "the plugin's own list of packages",
    "core/files/safe_read.py": "makes an error as the system does",
}
"""Modules that say by themselves what the system refused."""
DISKS = {"ENOSPC", "EROFS", "EDQUOT"}


def test_what_the_disk_refuses_is_said_by_one_module() -> None:
    words = {
        name: {
            node.attr if isinstance(node, ast.Attribute) else str(node.value)
            for node in nodes
            if isinstance(node, ast.Attribute | ast.Constant)
        }
        for name, nodes in package()
    }
    assert {name for name, used in words.items() if "strerror" in used} == set(SAYING)
    assert {name for name, used in words.items() if used & DISKS} == {"core/errors.py"}


PRINTING = {
    "cli/output.py": "what commands print",
    "cli/doctor_plain.py": "the same without packages: lines that `doctor_text` made",
    "cli/log_plain.py": "the same without packages: lines that `log_request` made",
    "cli/recall_plain.py": "a text that `recall_request` made harmless, without click",
    "cli/extract.py": "a table, of cells that `cell` made",
    "cli/status_screen.py": "a screen, of parts that `one_line` made",
}
"""Modules that print; all else returns text, and standard output is protocol in hooks and server."""


def test_only_named_modules_print() -> None:
    found = {
        name
        for name, nodes in package()
        for node in nodes
        if isinstance(node, ast.Call)
        and ast.unparse(node.func)
        in {"print", "click.echo", "click.secho", "console.print", "sys.stdout.write"}
    }
    assert found == set(PRINTING)


def test_what_is_not_redacted_is_called_in_one_module_alone() -> None:
    raw = {"progress_plugin.text.escape", "progress_plugin.text.invisible_characters"}
    found = {
        name
        for name, nodes in package()
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.module in raw
    }
    assert found == {"text/safe_output.py", "text/escape_stored.py", "text/redact.py"}


def test_programs_are_found_in_one_module_alone() -> None:
    finding = {
        name
        for name, nodes in package()
        for node in nodes
        if isinstance(node, ast.Attribute)
        and node.attr in {"which", "get_exec_path", "execvp", "execvpe", "execlp"}
    }
    assert finding == {"core/programs.py"}


def test_the_table_of_modules_names_files_that_are_there() -> None:
    assert all(Path(REPOSITORY, "progress_plugin", name).is_file() for name in OPENING)
