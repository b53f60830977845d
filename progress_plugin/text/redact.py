"""Secrets and private parts taken out of text before it is stored or shown.

The shapes of secrets are in `text.secret_patterns`, what tells a secret from a placeholder, in
`text.secret_values`.

A secret is known by its own shape or by what is before it (a name such as ``password``, a URL, a header),
a private part by ``<private>`` around it (`text.private_parts`). Length or entropy alone never count: commit
ids, UUIDs, checksums and paths stay. What cannot be seen does not hide a secret, whose reader does not see it
either.

Texts that are shown come here through `text.safe_output`, texts that are stored from `log.entry`,
`log.pending_events` and the memory tools.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Any

from progress_plugin.text.bounds import head, tail
from progress_plugin.text.invisible_characters import bare, visible
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.secret_names import (
    FOREIGN,
    FOREIGN_NAME,
    IN_LISTS,
    KEYS_ELSEWHERE,
    NAME,
    NAMES,
    OTHER_KEY,
    OTHER_LANGUAGES,
    OTHER_NAME,
    PLAIN_NAME,
    VARIABLE,
)
from progress_plugin.text.secret_pattern_kind import Shape
from progress_plugin.text.secret_patterns import NAMED, OF_COMMANDS, SAYING, SETTING
from progress_plugin.text.secret_tokens import ESCAPES, SHORTEST_RUN, TOKENS
from progress_plugin.text.secret_values import (
    BEHIND_PASSWORD,
    BESIDE_LOGIN,
    IDENTIFIER,
    JUDGES,
    OPEN_ENDED,
    is_assigned_password,
    is_cookies,
    is_named_for_none,
    is_quoted_secret,
    reach,
)

_PASSES = 4
"""A secret glued to another has no edge before that one is gone; a limit, since a text may glue thousands."""
_GATES = (
    "<<", "key", "pass", "pw", "secret", "token", "auth", "=", " -", "@", "cookie", "log", "sign", "cred",
    "psk", "\\u00", "config",
)  # fmt: skip
"""Texts that several hints hold: one look for all of them."""
_GATES_ELSEWHERE = ("密", "ー", "钥", "비밀", "키")
_FREQUENT = {*SAYING, *SETTING}  # so many texts hold them that a look for one spares no other


def _gate_behind(hint: str, within: str) -> str:
    """Return what is in every text with both, and is looked for first: of a hint that holds no gate."""
    return _gate_in(within) or (within if within and within not in _FREQUENT else hint)


@functools.cache  # of hundreds of pairs many have the same text
def _gate_in(needle: str) -> str:
    return next((gate for gate in _GATES if gate in needle), "")


_HINTED: dict[str, dict[str, list[tuple[str, Shape]]]] = {}
_ELSEWHERE: dict[str, list[tuple[str, Shape]]] = {}
for _shape in NAMED:
    for _hint in _shape.hints:
        if not _hint.isascii():
            _gate = next((gate for gate in _GATES_ELSEWHERE if gate in _hint), _hint)
            _ELSEWHERE.setdefault(_gate, []).append((_hint, _shape))
            continue
        _gate = _gate_in(_hint)
        for _within in _shape.within or ("",):
            _of_gate = _HINTED.setdefault(_gate or _gate_behind(_hint, _within), {})
            _of_gate.setdefault(_hint, []).append((_within, _shape))
_GATED = tuple((_gate, tuple(_of_gate.items())) for _gate, _of_gate in _HINTED.items())
"""Few, since most texts are short and hold no hint: then this is all there is to do."""
_INSIDE = tuple((hint, shape) for shape in TOKENS for hint in shape.hints if not hint[0].isalnum())
_BEGINNINGS: dict[str, list[tuple[str, Shape]]] = {}
for _shape in TOKENS:
    for _hint in _shape.hints:
        _BEGINNINGS.setdefault(_hint[:2], []).append((_hint, _shape))
_ORDER = {shape: place for place, shape in enumerate((*TOKENS, *NAMED))}
_WORDS_OF_COMMAND = ('"-', "'-", "- -")
"""Of which one is in a list of words with an option."""
_CELL = LazyPattern("</[tTdD][dDhH]>")
_RUN, _TELLING = LazyPattern(rf"\S{{{SHORTEST_RUN}}}"), LazyPattern("[A-Z0-9]")
_WORDS = LazyPattern(r"(?<![a-z0-9])[a-z0-9]{2}")
_ESCAPED_WORDS = LazyPattern(rf"(?=([a-z0-9]{{2}}))(?:{'|'.join(f'(?<={escape})' for escape in ESCAPES)})")
_WRITTEN_OUT = LazyPattern(
    r"(?<=\w)\\++(?=[_.~=+-])"  # Markdown's
    r"|(?:\\(?<!\\\\)\\*+(?:u001[bB]|x1[bB]|033|e)|\^\[)\[[\d;:]{0,40}+[A-Za-z]"  # colours, as JSON has them
)
_SPELLED_OUT = LazyPattern(
    r"\\(?<!\\\\)\\*+(?:(?:u00|x)(?P<plain>[2-7][0-9A-Fa-f])|u\{0{0,4}(?P<in_braces>[2-7][0-9A-Fa-f])\})"
    r"|&#(?:[xX]0{0,4}(?P<of_html>[2-7][0-9A-Fa-f])|0{0,4}(?P<decimal>\d{2,3}));|%(?P<of_url>[2-7][0-9A-Fa-f])"
)
_IN_NAMES = LazyPattern("[A-Za-z0-9_-]")
"""What a name is made of: such a character may be written as its number (JSON, HTML, addresses)."""
_CONTINUED = LazyPattern(r"\\\n[ \t]*+")
_SECRET_NAME = LazyPattern(rf"(?:{NAME}|{OTHER_NAME}|{FOREIGN_NAME}|{OTHER_KEY})$")
_VARIABLE_NAME = LazyPattern(rf"{VARIABLE}$")
_COOKIE_NAME = LazyPattern(r"(?<![A-Za-z0-9_])[Cc]ookie$")
_PLAIN_NAME, _IDENTIFIER = LazyPattern(rf"{PLAIN_NAME}$"), LazyPattern(IDENTIFIER)
_NAME_HINTS = (*NAMES, *OTHER_LANGUAGES, *FOREIGN, *KEYS_ELSEWHERE, "cookie")
"""Lower-case texts of which one is in every name of a member that is a secret."""
_LONGEST_NAME = 100
_QUOTES = "\"'`"
_BEGUN, _LONGEST_WITH_PARTS = LazyPattern(r"<private|-----BEGIN |---- BEGIN ", re.IGNORECASE), 1_000_000
"""How parts begin that may be longer than what is shown of a text's end."""
_MOST_PARTED = 100
"""Tokens that are looked for once more, one by one: of more the halves of some may stay."""


def redact(text: str) -> tuple[str, int]:
    """Return `text` with secrets as ``[REDACTED:<KIND>]`` and without private parts, and how many there were.

    An unclosed ``<private>`` reaches to the end. Redacting the result again changes nothing. Characters that
    cannot be seen stay where they hide nothing.
    """
    seen = _as_read(text)
    if seen == text:
        return _redacted(text)
    wanted, count = _redacted(seen)
    # A colour may also be all that parts a token from the word before it.
    tokens: dict[str, str] = {}
    parted, _ = _redacted(text, tokens)
    if len(tokens) > _MOST_PARTED:
        wanted, count = _redacted(_as_read(parted))
    for token, mark in tokens.items():
        count += wanted.count(token)
        wanted = wanted.replace(token, mark)
    # Of several readings that keep no more secrets the one nearest to the text: emoji fall apart in the last.
    for reading in (text, visible(text), bare(text)):
        redacted, removed = _redacted(reading)
        if _as_read(redacted) == wanted:
            return redacted, removed
    return wanted, count


def redacted_end(text: str, most: int) -> str:
    """Return at most so many characters of a text's end, without the rest of what began before them.

    Of a longer text that has such parts more is looked at, up to a bound; behind that nothing is told.
    """
    end = tail(text, most)
    if len(end) == len(text) or not _BEGUN.search(text):
        return redact(end)[0]
    return tail(redact(head(text, _LONGEST_WITH_PARTS))[0], most)


def _as_read(text: str) -> str:
    """Return what a reader sees: no line continued, none of what is unseen, escapes, colours."""
    text = bare(text)
    for _ in range(_PASSES):  # what is read may be part of another escape
        if "\\" in text:
            text = _WRITTEN_OUT.sub("", _CONTINUED.sub(_joint, text) if "\\\n" in text else text)
        elif "^[[" in text:
            text = _WRITTEN_OUT.sub("", text)
        if not ("\\" in text or "&#" in text or "%" in text):
            break
        before, text = text, _SPELLED_OUT.sub(_spelled, text)
        if text == before:
            break
    return text


def _spelled(escape: re.Match[str]) -> str:
    """Return the character of a name that an escape stands for, or the escape of another."""
    number = escape[escape.lastgroup or 0]
    sign = chr(int(number) if escape["decimal"] else int(number, 16))
    return sign if _IN_NAMES.match(sign) else escape[0]


def _joint(continued: re.Match[str]) -> str:
    """Return what a shell has between a line and its continuation: the blanks of the next are no name's."""
    before = continued.string[continued.start() - 1 : continued.start()]
    return "" if before in "= \t" else " "


def _redacted(text: str, tokens: dict[str, str] | None = None) -> tuple[str, int]:
    """Return one reading of a text redacted, and how many parts went; `tokens` gets tokens and marks."""
    text, total = _without_private(text)
    if may_hold_columns(text):
        from progress_plugin.text.secret_tables import without_secrets_below_names  # noqa: PLC0415 - rare

        text, count = without_secrets_below_names(text)
        total += count
    text, count = without_arguments(text)
    total += count
    for _ in range(_PASSES):
        text, count = _without_secrets(text, tokens)
        total += count
        if not count:
            break
    return text, total


def without_arguments(text: str) -> tuple[str, int]:
    """Return a text without the secrets that a command is given in a list of its words, and how many."""
    if not any(option in text for option in _WORDS_OF_COMMAND):
        return text, 0
    from progress_plugin.text.secret_arguments import without_places_in_lists  # noqa: PLC0415 - rare

    return without_places_in_lists(text, _WORDS_OF_COMMAND, _places_in_command)


def _places_in_command(line: str) -> Iterator[tuple[int, int]]:
    for shape in _hinted(line) & OF_COMMANDS:
        yield from _places(shape, line)


def without_disguised_tags(text: str) -> str:
    """Return a text whose lines with a private tag have nothing that cannot be seen; none moves."""
    if "<" not in text:
        return text
    kept: list[str] = []
    done, at = 0, text.find("<")
    while at >= 0:
        begin, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[begin:end]
        if (seen := bare(line)) != line and "private" in seen.lower():
            kept += (text[done:begin], seen)
            done = end
        at = text.find("<", end)
    return "".join((*kept, text[done:])) if kept else text


def may_hold_columns(text: str) -> bool:
    """Return whether a text may hold secrets below their name: in a table, in inserted rows, in a list."""
    if "\n" not in text:
        return ("(" in text and "INTO" in text.upper()) or ("</" in text and _CELL.search(text) is not None)
    if ("|" in text and "-" in text) or ("│" in text and "─" in text):
        return True
    lowered = text.lower()
    return ("(" in text and "into" in lowered) or any(hint in lowered for hint in IN_LISTS)


def redact_value(value: Any) -> tuple[Any, int]:
    """Return a JSON value of any depth with its strings and keys redacted, and how many parts went.

    The given value stays as it is. A string under a key such as ``api_key`` is assigned to it, also as one of
    a list there, and one behind ``--password`` in a list of arguments is that option's.
    """
    root = [value]
    total = 0
    waiting: list[tuple[Any, Any, Any]] = [(root, 0, None)]
    while waiting:
        holder, key, name = waiting.pop()
        current = holder[key]
        if isinstance(current, str):
            holder[key], count = _redact_member(name, current)
            total += count
        elif isinstance(current, list):
            holder[key] = items = current.copy()
            total += _redact_command(items)
            waiting.extend((items, at, _option_before(current, at) or name) for at in range(len(items)))
        elif isinstance(current, dict):
            members, count = _with_redacted_keys(current)
            holder[key] = members
            total += count
            waiting.extend((members, inner, _name(members, inner, name)) for inner in members)
    return root[0], total


def _redact_command(items: list[Any]) -> int:
    """Redact what a command is given as a secret, where the items of a list are its words."""
    if any(isinstance(item, str) and item.startswith("-") for item in items):
        from progress_plugin.text.secret_arguments import redact_words  # noqa: PLC0415 - rare

        return redact_words(items, _places_in_command)
    return 0


def _with_redacted_keys(members: dict[Any, Any]) -> tuple[dict[Any, Any], int]:
    """Return a copy whose keys hold no secret, and how many parts went; equal ones are numbered."""
    copy: dict[Any, Any] = {}
    total = 0
    for key, value in members.items():
        if not isinstance(key, str) or (len(key) < SHORTEST_RUN and key.isidentifier()):
            copy[key] = value
            continue
        clean, count = redact(key)
        total += count
        unique, number = clean, 1
        while count and (unique in copy or unique in members):
            number += 1
            unique = f"{clean} {number}"
        copy[unique] = value
    return copy, total


def _option_before(items: list[Any], at: int) -> Any:
    """Return the option that the item of a list belongs to, such as ``--password``."""
    before = items[at - 1] if at else None
    return before if isinstance(before, str) and before.startswith("-") else None


def _name(holder: dict[Any, Any], key: Any, outer: Any) -> Any:
    """Return what a member is called: its key; of ``value`` the name beside it, or else around it."""
    return holder.get("name", holder.get("key", outer or key)) if key == "value" else key


def _redact_member(name: Any, text: str) -> tuple[str, int]:
    redacted, count = redact(text)
    if count or not isinstance(name, str):
        return redacted, count
    name = name[-_LONGEST_NAME:]
    lowered = name.lower()
    if lowered == "key" or not any(hint in lowered for hint in _NAME_HINTS):  # nearly every one
        return text, 0
    if _COOKIE_NAME.search(name) and is_cookies(text):
        return "[REDACTED:COOKIE]", 1
    if _SECRET_NAME.search(name) and is_quoted_secret(text):
        is_one = not (_PLAIN_NAME.search(name) and _IDENTIFIER.fullmatch(text))
    elif _SECRET_NAME.search(name) and _is_passphrase(name, text):
        is_one = True
    else:
        is_one = bool(_VARIABLE_NAME.search(name)) and is_assigned_password(text)
    return ("[REDACTED:SECRET]", 1) if is_one else (text, 0)


def _is_passphrase(name: str | None, value: str) -> bool:
    """Return whether a value is words and a number, and its name, where its place does not, says password."""
    from progress_plugin.text.secret_passphrases import is_passphrase, names_password  # noqa: PLC0415 - rare

    return is_passphrase(value) and (name is None or names_password(name))


def _without_secrets(text: str, tokens: dict[str, str] | None) -> tuple[str, int]:
    total = 0
    for shape in sorted(_hinted(text), key=_ORDER.__getitem__):
        if tokens is not None and not shape.groups:
            tokens |= dict.fromkeys(
                (found[0] for found in _compiled(shape.pattern).finditer(text)), f"[REDACTED:{shape.kind}]"
            )
        text, count = _without(shape, text)
        total += count
    return text, total


def _hinted(text: str) -> set[Shape]:
    """Return the shapes that a text may hold, of nearly all texts none: the patterns are not for nothing."""
    lowered = text.lower()
    hinted = [
        shape
        for gate, gated in _GATED
        if gate in lowered
        for hint, shapes in gated
        if hint in lowered
        for within, shape in shapes
        if within in lowered
    ]
    if not text.isascii():
        for gated in [gated for gate, gated in _ELSEWHERE.items() if gate in lowered]:
            hinted += [shape for hint, shape in gated if hint in lowered]
    runs = _runs(text)
    if runs:
        hinted += [shape for hint, shape in _INSIDE if hint in lowered]
        for two in _beginnings(runs) & _BEGINNINGS.keys():
            hinted += [shape for hint, shape in _BEGINNINGS[two] if hint in lowered]
    return set(hinted)


def _runs(text: str) -> list[str]:
    """Return the words as long as a token, but paths of small letters."""
    if not _RUN.search(text):
        return []
    return [word for word in text.split() if len(word) >= SHORTEST_RUN and _TELLING.search(word)]


def _beginnings(runs: list[str]) -> set[str]:
    """Return the first two characters of every word, also of one that is glued to what an escape ends."""
    found = set()
    for run in runs:
        lowered = run.lower()
        found.update(_WORDS.findall(lowered))
        if "\\" in run or "[" in run or "%" in run or ";" in run:
            found.update(_ESCAPED_WORDS.findall(lowered))
    return found


def _without(shape: Shape, text: str) -> tuple[str, int]:
    mark = f"[REDACTED:{shape.kind}]"
    pattern = _compiled(shape.pattern)
    if not shape.groups:
        return pattern.subn(mark, text)
    kept: list[str] = []
    done = 0
    for start, end in _places(shape, text):
        kept += [text[done:start], mark]
        done = end
    return "".join((*kept, text[done:])) if kept else text, len(kept) // 2


def _places(shape: Shape, text: str) -> Iterator[tuple[int, int]]:
    """Yield where the secrets of one kind are; of a list of them each has its own place."""
    pattern = _compiled(shape.pattern)
    if not shape.each:
        yield from _judged(pattern, shape.groups, text, 0, len(text))
        return
    each = _compiled(shape.each)
    groups = tuple(name for name in each.groupindex if name in JUDGES)
    for found in pattern.finditer(text):
        yield from _judged(each, groups, text, *found.span(*shape.groups))


def _judged(
    pattern: re.Pattern[str], groups: tuple[str, ...], text: str, start: int, stop: int
) -> Iterator[tuple[int, int]]:
    """Yield the place of each value in a part of a text that its judge calls a secret."""
    match = pattern.search(text, start, stop)
    while match is not None:
        group = next(name for name in groups if match[name] is not None)
        value = match[group][: reach(match[group])] if group in OPEN_ENDED else match[group]
        end = match.start(group) + len(value)
        if _is_secret(match, group, value):
            yield match.start(group), end
        # What follows the value may be the next name, though the pattern took it for more of the value.
        match = pattern.search(text, max(end, match.start() + 1), stop)


def _is_secret(match: re.Match[str], group: str, value: str) -> bool:
    is_one = JUDGES[group](value)
    is_marked = group == "passing" and match.string[match.start(group) - 1] in _QUOTES
    if not is_one and (is_marked or group in BEHIND_PASSWORD):
        name = None if group in BESIDE_LOGIN else match.string[match.start() : match.start(group)]
        is_one = _is_passphrase(name, value)
    return is_one and not is_named_for_none(_before(match, group), value)


def _before(match: re.Match[str], group: str) -> str:
    """Return what stands before a value: its name, of which the pattern may have met the end alone."""
    return match.string[max(0, match.start() - _LONGEST_NAME) : match.start(group)]


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile at the first use: most texts hold the hints of two or three shapes."""
    return re.compile(pattern, re.DOTALL)


def _without_private(text: str) -> tuple[str, int]:
    if "<private" not in text.lower():
        return text, 0
    from progress_plugin.text.private_parts import private_parts, without_tags  # noqa: PLC0415 - rare

    parts = private_parts(text, lambda _: len(text))
    if not parts:
        return text, 0
    ends = (0, *(end for _, end in parts))
    starts = (*(start for start, _ in parts), len(text))
    kept = "".join(text[end:start] for end, start in zip(ends, starts, strict=True))
    return without_tags(kept), len(parts)
