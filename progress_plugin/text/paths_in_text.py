"""Find the paths a sentence names, and what it says of them apart from naming them."""

from __future__ import annotations

import re

from progress_plugin.text.labels import split_label
from progress_plugin.text.patterns import LazyPattern

_TYPES = (
    "py pyi ts tsx js jsx mjs cjs vue svelte rs go rb java kt kts swift c h cc cpp hpp cs php lua sh bash "
    "zsh fish sql json jsonl jsonc yaml yml toml ini cfg conf env lock md mdx txt html css scss less xml "
    "csv proto graphql tf nix dart ex exs erl hs ml scala clj zig jl pl ps1 gradle properties ipynb j2"
)
_AFTER_DOT = rf"(?:{'|'.join(_TYPES.split())})(?:\.(?:example|sample|template|tmpl|dist|local))?(?![\w/])"
_TYPE = rf"\.{_AFTER_DOT}"
_UNENDED = (
    "[Dd]ockerfile Containerfile [Mm]akefile GNUmakefile [Jj]ustfile Taskfile Rakefile Gemfile Pipfile "
    "Podfile Brewfile Procfile Jenkinsfile Vagrantfile Caddyfile Tiltfile Earthfile Fastfile Guardfile"
)
"""Files that have no ending, or one of their own (`Dockerfile.dev`); the quick look knows them by `file`."""
_DOTTED = (
    r"env(?:rc)? [a-z]{2,20}(?:rc|ignore) gitattributes gitmodules editorconfig htaccess flake8 "
    r"tool-versions (?:python|node|ruby)-version clang-(?:format|tidy)"
)
_NAMED = (
    rf"(?<![\w/.:@+-])(?:\.{{0,2}}/)?(?:[\w.@+-]+/)*(?:(?:{'|'.join(_UNENDED.split())})(?:\.\w+)?"
    rf"|\.(?:{'|'.join(_DOTTED.split())})(?:\.[\w-]+)*)(?![\w/(-])"
)
_PATH = LazyPattern(
    rf"{_NAMED}"
    rf"|(?<![\w/.:@+-])(?:\.{{0,2}}/)?[\w.@+-]+(?:/[\w.@+\[\]()*$-]+)*{_TYPE}"
    rf"|(?<=`)(?:\.{{0,2}}/)?[\w.@+$-]+(?:/[\w.@+\[\]()*$&#'-]+)*{_TYPE}(?=[`:])"
    r"|(?<=`)(?:\.{0,2}/)?[\w.@+-]+(?:/[\w.@+-]+)+/?(?=`)"
)
_ENDING = LazyPattern(rf"\.(?:{_AFTER_DOT}|(?<!\w\.)(?:{'|'.join(_DOTTED.split())}))")
"""It begins with its dot, so that a search goes from dot to dot."""
_BY_NAME = LazyPattern("|".join(_UNENDED.split()))
_LONGEST = 400
"""Characters of a path, and of a word that is searched for some: a search begins anew at each of them."""
_PARTS = LazyPattern(r"[^\w.@+\[\]()*/:`-]+")
_FEWEST_WORDS = 4
"""Words beside its path from which an item of a list of files says something."""
_SHORT = 2
"""Characters of what is no word there: `of`, `–`."""
_FILES = LazyPattern(
    r"\bfiles?\b|archivos|arquivos|fichiers|dateien|文件|檔案|ファイル|파일|файл", re.IGNORECASE
)
_LISTS_FILES = LazyPattern(r"files?(?: (?:changed|modified|created|touched))?: ", re.IGNORECASE)


def may_name_paths(text: str) -> bool:
    """Return whether it is worth while to look for paths in a text: a quick look that most texts end at."""
    return (
        ("/" in text and "`" in text)
        or ("." in text and bool(_ENDING.search(text)))
        or ("file" in text and bool(_BY_NAME.search(text)))
    )


def paths_in(text: str) -> tuple[str, ...]:
    """Return the paths of a text, each once: known names and endings, and what has `/` in code marks."""
    if not may_name_paths(text):
        return ()
    marked = "/" in text and "`" in text
    words = " ".join(
        [word for word in _words(text) if "." in word or "file" in word or (marked and "/" in word)]
    )
    return tuple(dict.fromkeys([found.removeprefix("./") for found in _PATH.findall(words)]))


def said_of_files(text: str, is_listed: bool) -> tuple[str, tuple[str, ...]]:
    """Return what a statement says of files, without lists of them, and their paths; empty for nothing.

    `is_listed`: the statement is an item of a list of files.
    """
    statement = _beside_lists(text, is_listed=is_listed)
    return statement, paths_in(statement)


def _beside_lists(text: str, *, is_listed: bool) -> str:
    label, rest = split_label(text)
    if is_listed or (label and _FILES.search(label)):
        return text if len(_plain_words(rest)) >= _FEWEST_WORDS and len(paths_in(rest)) == 1 else ""
    # Short items of one list stand in one statement.
    kept = [piece for piece in text.split("; ") if _plain_words(piece) and not _LISTS_FILES.match(piece)]
    return "; ".join(kept)


def _plain_words(text: str) -> list[str]:
    """Return the words of a text that are neither paths nor names of code."""
    pieces = (piece.strip("()[]:;,.`") for piece in text.split())
    return [piece for piece in pieces if piece.isalpha() and len(piece) > _SHORT]


def _words(text: str) -> list[str]:
    """Return the words of a text; what is too long for a word is split at characters that no path has."""
    words = text.split()
    if len(max(words, key=len, default="")) <= _LONGEST:
        return words
    parts = [part for word in words for part in (_PARTS.split(word) if len(word) > _LONGEST else (word,))]
    return [part for part in parts if len(part) <= _LONGEST]
