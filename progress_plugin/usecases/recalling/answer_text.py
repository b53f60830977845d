"""What was recalled, as text for a terminal or a model and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from progress_plugin.recall.index import SESSION
from progress_plugin.recall.search import Hit
from progress_plugin.recall.still_holds import Standing
from progress_plugin.text.bounds import NAMED, counted
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.recalling.recall import Recalled

_TEXT = 600
"""Characters of a passage that are shown; `--json` has all that is indexed."""
_NAME = 200


def recall_text(found: Recalled) -> str:
    """Return each hit, with where it stands before it, or that nothing fits; then what must be known."""
    told = map(hit_line, found.hits) if found.hits else [nothing(found)]
    return "\n".join([*told, *notes(found)])


def nothing(found: Recalled) -> str:
    """Return that nothing fits, in one line; what was filtered away is told."""
    if not found.searched and not found.has_sources:
        return "There is no history yet."
    where = f"{counted(found.searched, 'passage')} searched"
    if not found.filters:
        return f"Nothing in the history fits ({where})."
    without = "; without that, something does" if found.fits_without else ""
    return f"Nothing in the history fits with {', '.join(found.filters)} ({where}){without}."


def hit_line(hit: Hit) -> str:
    """Return a hit as `progress.md:41 (2026-11-20, US-012 done, gotcha): text`, and what goes with it below.

    That is a later statement that says that it has changed, and what stands beside it.
    """
    place = f"{hit.path}:{hit.line}" if hit.line else hit.path
    story = f"{one_line(hit.stories[0], _NAME)} {hit.standing.story}".rstrip() if hit.stories else ""
    by = f"by {hit.writer}" if hit.writer else ""
    known = ", ".join(filter(None, (hit.when[:10], story, f"{hit.kind} {hit.standing.blocker}".rstrip(), by)))
    lines = [f"{one_line(place, _NAME)} ({one_line(known, _NAME)}): {one_line(hit.text, _TEXT)}"]
    if hit.standing.later:
        lines.append(f"  a later word: {one_line(hit.standing.later, _TEXT)}")
    if hit.around:
        lines.append(f"  beside it: {one_line(hit.around, _TEXT)}")
    return "\n".join(lines)


def as_objects(found: Recalled) -> dict[str, Any]:
    """Return what was recalled as the member of a JSON object."""
    hits = hits_as_objects(found.hits)
    told = [*([] if hits else [nothing(found)]), *notes(found)]
    return {"count": len(hits), "hits": hits, "searched": found.searched, "notes": told}


def hits_as_objects(hits: Sequence[Hit]) -> list[dict[str, Any]]:
    """Return each hit as a JSON object: the file and line that say it, or the session, and what they say."""
    return [
        {
            "file": None if hit.kind == SESSION else hit.path,
            "line": hit.line or None,
            "last_line": hit.last or None,
            "when": hit.when or None,
            "stories": list(hit.stories),
            "story_status": hit.standing.story or None,
            "kind": hit.kind,
            "blocker": hit.standing.blocker or None,
            "writer": hit.writer or None,
            "text": hit.text,
            "later": hit.standing.later or None,
            "around": hit.around or None,
            **({SESSION: hit.path.removeprefix(f"{SESSION} ")} if hit.kind == SESSION else {}),
        }
        for hit in hits
    ]


def object_line(hit: Mapping[str, Any]) -> str:
    """Return one of `hits_as_objects` as lines."""
    standing = Standing(*(hit[name] or "" for name in ("story_status", "blocker", "later")))
    told = Hit(
        path=hit["file"] or f"{SESSION} {hit[SESSION]}",
        line=hit["line"] or 0,
        last=hit["last_line"] or 0,
        when=hit["when"] or "",
        stories=tuple(hit["stories"]),
        kind=hit["kind"],
        text=hit["text"],
        around=hit["around"] or "",
        standing=standing,
        writer=hit["writer"] or "",
    )
    return hit_line(told)


def notes(found: Recalled) -> list[str]:
    """Return what a reader must know of the search, one sentence each."""
    told = []
    if found.unknown and found.hits:
        told.append(f"Nothing in the history names {', '.join(found.unknown[:NAMED])}.")
    if found.left_out:
        told.append(
            f"{counted(found.left_out, 'old passage')} beyond the size of an index were not searched."
        )
    if not found.has_all_arrivals:
        told.append(
            "Not all that git has brought of others' history was searched: there was no time to take it into "
            "the log; ask again."
        )
    return told
