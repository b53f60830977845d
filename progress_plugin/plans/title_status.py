"""The state that the wording of a heading or a check-box carries besides its title."""

from __future__ import annotations

from progress_plugin.model.status import COLOURS, TITLE_MARKS, parse_status_phrase, parse_wording
from progress_plugin.text.patterns import LazyPattern

_MARK = LazyPattern(f"[{TITLE_MARKS}]")
_COLOURED = LazyPattern(rf"[\s(\[（]([{COLOURS}][\w ]{{0,30}})[)\]）]?$")
_BRACKETED = LazyPattern(r"\s?(?:\[([^\[\]]{1,30})\]|\(([^()]{1,30})\)|（([^（）]{1,30})）)$")
_SHOUTED = LazyPattern(r"\s[-–—|:]\s?([A-Z][A-Z _-]{1,30})$")
_EDGE = " \t-–—|:：*(（[\ufe0f"
_NUMBER = LazyPattern(r"((?:\d+\.)+\d+|\d+(?=[.):：])|[A-Z]{1,8}-\d+|T\d+(?:\.\d+)*)[.):：]?\s+(?=\S)")
_BOLD = LazyPattern(r"\*\*|__|`")


def split_state(text: str) -> tuple[str, str]:
    """Return title and state of a heading: ``Sync - ✅ Fertig``, ``Sync [complete]``, ``Sync — DONE``.

    The state is text for `parse_status_phrase`, or empty. A word after a dash counts only in capitals, since
    "Code - Review" is a title.
    """
    # White space is folded first, which also keeps the searches below linear.
    text = " ".join(text.split())
    if mark := _MARK.search(text):
        before, after = text[: mark.start()].rstrip(_EDGE), text[mark.start() :]
        if before:
            return before, after.rstrip(")）]* ")
        return text[mark.end() :].lstrip(_EDGE), mark[0]
    for pattern in (_BRACKETED, _SHOUTED, _COLOURED):
        if (tail := pattern.search(text)) and (state := next(group for group in tail.groups() if group)):
            known = parse_wording(state) or (pattern is _BRACKETED and parse_status_phrase(state))
            if known:
                return text[: tail.start()].rstrip(_EDGE if pattern is _COLOURED else None), state
    return text, ""


def split_number(text: str) -> tuple[str, str]:
    """Return the number in front of a title and the title: ``1.2 Parse`` and ``**3. Parse**`` have one."""
    text = plain(text)
    number = _NUMBER.match(text)
    return (number[1], text[number.end() :]) if number else ("", text)


def plain(text: str) -> str:
    """Return ``text`` without bold and code marks, as one line."""
    return " ".join(_BOLD.sub("", text).split())
