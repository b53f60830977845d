"""Runs that ended well and checked nothing: no test was found, or all were skipped."""

import re

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts.commands.check_table import BUILD, TESTS

_MADE_BEFORE = LazyPattern(r"\bNothing to be done for\b|^make\b.{0,80} is up to date\.$", re.MULTILINE)
_NONE_RAN = LazyPattern(
    r"""
    \bno\ tests?\ ran\b | \bcollected\ 0\ items\b | \bRan\ 0\ tests\b | \b0\ examples,
  | \b0\s+(?:tests?\s+)?(?:passed|passing)\b | ^[#ℹ]\ (?:tests|pass)\ 0$ | \[no\ test(?:s\ to\ run|\ files)\]
  | \bNo\ tests?\ (?:files?\ )?(?:(?:were\ )?found|executed|is\ available)\b | ^1\.\.0\b
  | ^=*\s?(?:\d{1,9}\ (?:skipped|deselected|warnings?),?\s){1,5}in\ [\d.]{1,20}s
  | ^Tests:\s{1,20}[1-9]\d{0,9}\ (?:skipped|todo)\b | \(skipped=\d
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
_SOME_RAN = LazyPattern(
    r"""
    \b[1-9]\d*\s+(?:tests?\s+)?(?:passed|passing|succeeded|ok)\b | \bpass(?:ed)?:?\s+[1-9]
  | \b[1-9]\d*\ (?:x(?:passed|failed)|failed|failing|failures?)\b
  | \b[1-9]\d*\ examples?, | ^ok\ +[1-9] | ^---\ PASS
  | ^ok\s+\S+\s+(?:[\d.]{1,20}s|\(cached\))(?!.{0,200}\[no\ test)
  | \bOK\ \([1-9] | \bTests\ run:\ [1-9] | \b[1-9]\d*\ runs,
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
_RAN = LazyPattern(r"\bRan ([1-9]\d{0,9}) tests?\b")
_SKIPPED = LazyPattern(r"\bskipped=(\d{1,9})\b")


def checked_nothing(kind: str, text: str) -> bool:
    """Return whether a check that did not fail says that it has checked nothing."""
    if kind != BUILD and _MADE_BEFORE.search(text):
        return True
    if kind != TESTS or not _NONE_RAN.search(text) or _SOME_RAN.search(text):
        return False
    ran = sum(int(found[1]) for found in _RAN.finditer(text))
    return ran <= sum(int(found[1]) for found in _SKIPPED.finditer(text))
