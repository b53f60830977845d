"""Find what learnings are about: the names they share."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from progress_plugin.core.memo import Memo
from progress_plugin.learnings.words import names_in
from progress_plugin.model.learning import Learning
from progress_plugin.text.patterns import LazyPattern

_SPAN = LazyPattern(r"`([^`]{2,80})`")
_TOKEN = LazyPattern(r"[@A-Za-z_][\w@./:-]*\w(?=\(.*\)$|$)")
_COMMAND = LazyPattern(r"([a-z][a-z0-9_-]+) [\w./@-]")
_ACRONYM = LazyPattern(r"(?<![\w`./$-])[A-Z][A-Z0-9]{2,7}(?![\w`-])")
_PROPER = LazyPattern(r"(?<![^\s(])[a-z][\w,)'-]* ([A-Z][a-z][\w+#]+)")
_SMALL = LazyPattern(r"\b[a-z]+\b")
_ORDINARY = LazyPattern(r"[a-z]+$")
_LONGEST = 26
_SHORTEST = 3
_LONGEST_ACRONYM = 4
"""Capitals beyond are keywords, as a rule: `BEGIN`, `COMMIT`."""
_FOLDERS = 2
"""Folders above a file that name its module."""
_REMEMBERED = 256
"""Learnings whose names are kept: a summary is rendered until it fits, each time with nearly the same."""
_NAME, _WORD = 3, 2
"""How much a name of code says beside an acronym or a proper noun."""
_NO_SUBJECTS = (
    "true false null none undefined nan string number boolean bool int str float any void object self this "
    "const let var def class function return async await import export default type types interface enum "
    "value values name key keys data index main init test tests spec src lib app apps docs bin dist build "
    "div span button input form table html body packages scripts "
    "components utils helpers todo fixme note notes status error errors id ids "
    "index.ts index.tsx index.js index.html main.py main.rs main.go main.ts mod.rs lib.rs __init__.py "
    "progress.txt progress.md prd.json agents.md claude.md readme.md changelog.md feature_list.json "
    "not never always must only and but all any critical important warning yes same both new old fail pass "
    "passed failed before after this that null true false etc the are has can will does should for from "
    "with when only non pre post via per use uses used run set get add fix"
)
_NO_SUBJECT = frozenset(_NO_SUBJECTS.split())


class Subject(NamedTuple):
    """A name that may be above the learnings that mention it."""

    key: str
    """Small letters, for comparing."""
    label: str
    """As it is shown: names of code in code marks."""
    weight: int
    marked: bool
    """An ordinary word that is a name only in code marks or with a capital: `begin` is no `BEGIN`."""


def subjects_of(learnings: Sequence[Learning], memo: Memo | None = None) -> list[Subject]:
    """Return the names the learnings use, each once, in order of first use; `memo` as for `topics`."""
    found: dict[str, tuple[str, int]] = {}
    remembering = memo or Memo()
    spoken_in, named_in = remembering.of(_spoken_in), remembering.of(_named_in)
    texts = [str(learning.text) for learning in learnings]  # plain ones: some know where they stand
    spoken = Counter(chain.from_iterable(map(spoken_in, texts)))
    for learning, text in zip(learnings, texts, strict=True):
        for name, label, weight in (*_names_of_files(learning.files), *named_in(text)):
            key = name.casefold()
            if _SHORTEST <= len(name) <= _LONGEST and key not in _NO_SUBJECT:
                proper = weight == _WORD and name.isalpha() and not name.isupper()
                if (not proper or not spoken[key]) and weight > found.get(key, ("", 0))[1]:
                    found[key] = (label, weight)
    return [
        Subject(key, label, weight, marked=bool(_ORDINARY.match(key)) and _may_be_spoken(label, weight))
        for key, (label, weight) in found.items()
    ]


def _may_be_spoken(label: str, weight: int) -> bool:
    """Return whether a name in small letters may be a word of the language: more than an acronym is."""
    return weight == _NAME or (label.isupper() and len(label) > _LONGEST_ACRONYM)


def mentions(subject: Subject, learning: Learning) -> int | None:
    """Return the place where a learning names a subject, in characters; None where it does not."""
    text, key = learning.text, subject.key
    for place in _places(key, text.lower()):
        spelt = text[place : place + len(key)]
        if not subject.marked or spelt != key or _is_marked(text, place):
            return place
    named = any(path.casefold().rsplit("/", 1)[-1] == subject.key for path in learning.files)
    return len(text) if named else None


def _places(key: str, text: str) -> Iterator[int]:
    """Yield the places of a name as a whole word; a pattern for each would be compiled at every start."""
    place = text.find(key)
    while place >= 0:
        end = place + len(key)
        if not _belongs(text[place - 1 : place], ".-") and not _belongs(text[end : end + 1], "-"):
            yield place
            place = text.find(key, end)
        else:
            place = text.find(key, place + 1)


def _belongs(beside: str, joints: str) -> bool:
    """Return whether the character beside a name, if there is one, makes it part of a longer one."""
    return beside.isalnum() or beside == "_" or (beside != "" and beside in joints)


def _is_marked(text: str, place: int) -> bool:
    """Return whether a place is in code marks."""
    return text.count("`", 0, place) % 2 == 1


@lru_cache(maxsize=_REMEMBERED)
def _spoken_in(text: str) -> tuple[str, ...]:
    """Return the words in small letters outside of code: such words are no names."""
    return tuple(_SMALL.findall(_SPAN.sub(" ", text)))


def _names_of_files(files: Sequence[str]) -> Iterator[tuple[str, str, int]]:
    """Yield name, label and weight of the files that a learning is about."""
    for path in files:
        name = path.rsplit("/", 1)[-1]
        yield name, f"`{name}`", _NAME
        folder = "/".join(path.split("/")[:-1][-_FOLDERS:])
        if "/" in folder:  # one alone is a root such as `tests`
            yield folder, f"`{folder}/`", _WORD


@lru_cache(maxsize=_REMEMBERED)
def _named_in(text: str) -> tuple[tuple[str, str, int], ...]:
    """Return the same of what a text names."""
    return tuple(_find_names(text))


def _find_names(text: str) -> Iterator[tuple[str, str, int]]:
    for span in _SPAN.findall(text):
        name = _name_of(span)
        yield name, f"`{name}`", _NAME
    prose = _SPAN.sub(" ` ", text)
    for name in names_in(prose):
        yield name, f"`{name}`", _NAME
    for name in (*_ACRONYM.findall(prose), *_PROPER.findall(prose)):
        yield name, name, _WORD


def _name_of(span: str) -> str:
    """Return what a piece of code is called by: a path by its last part, a command by its tool."""
    command = _COMMAND.match(span)
    if command:
        return command[1]
    token = _TOKEN.match(span)
    if not token:
        return ""
    return token[0] if token[0].startswith("@") else token[0].rstrip("/").rsplit("/", 1)[-1]
