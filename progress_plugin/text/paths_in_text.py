"""Find the paths that a sentence names."""

from __future__ import annotations

from progress_plugin.text.patterns import LazyPattern

EXTENSIONS = (
    "py pyi ts tsx js jsx mjs cjs vue svelte rs go rb java kt kts swift c h cc cpp hpp cs php lua sh bash "
    "zsh fish sql json jsonl jsonc yaml yml toml ini cfg conf env lock md mdx txt html css scss less xml "
    "csv proto graphql tf nix dart ex exs erl hs ml scala clj zig jl pl ps1 gradle properties ipynb j2"
)
_AFTER_DOT = rf"(?:{'|'.join(EXTENSIONS.split())})(?:\.(?:example|sample|template|tmpl|dist|local))?(?![\w/])"
_TYPE = rf"\.{_AFTER_DOT}"
FILES_WITHOUT_EXTENSION = (
    "[Dd]ockerfile Containerfile [Mm]akefile GNUmakefile [Jj]ustfile Taskfile Rakefile Gemfile Pipfile "
    "Podfile Brewfile Procfile Jenkinsfile Vagrantfile Caddyfile Tiltfile Earthfile Fastfile Guardfile"
)
"""Files that have no ending, or one of their own (`Dockerfile.dev`); all have `file` in their name."""
_DOTTED = (
    r"env(?:rc)? [a-z]{2,20}(?:rc|ignore) gitattributes gitmodules editorconfig htaccess flake8 "
    r"tool-versions (?:python|node|ruby)-version clang-(?:format|tidy)"
)
_NAMED = (
    rf"(?<![\w/.:@+-])(?:\.{{0,2}}/)?(?:[\w.@+-]+/)*(?:(?:{'|'.join(FILES_WITHOUT_EXTENSION.split())})(?:\.\w+)?"
    rf"|\.(?:{'|'.join(_DOTTED.split())})(?:\.[\w-]+)*)(?![\w/(-])"
)
_PATH = LazyPattern(
    rf"{_NAMED}"
    rf"|(?<![\w/.:@+-])(?:\.{{0,2}}/)?[\w.@+-]+(?:/[\w.@+\[\]()*$-]+)*{_TYPE}"
    rf"|(?<=`)(?:\.{{0,2}}/)?[\w.@+$-]+(?:/[\w.@+\[\]()*$&#'-]+)*{_TYPE}(?=[`:])"
    r"|(?<=`)(?:\.{0,2}/)?[\w.@+-]+(?:/[\w.@+-]+)+/?(?=`)"
)
_BETWEEN_WORDS = LazyPattern(r"[\s、，。；：！？（）「」]+")  # Chinese and Japanese have no spaces
MAX_WORD_CHARS = 400  # longer words are not searched for paths: the search restarts at each character


def paths_in(text: str) -> tuple[str, ...]:
    """Return the paths of a text, each once: known names and endings, and code spans with `/`."""
    words = [
        word
        for word in _BETWEEN_WORDS.split(text)
        if len(word) <= MAX_WORD_CHARS and ("." in word[:-1] or "/" in word or "file" in word)
    ]
    return tuple(dict.fromkeys([found.removeprefix("./") for found in _PATH.findall(" ".join(words))]))
