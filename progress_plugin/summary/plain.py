"""The summary in plain text, for as long as the environment with Jinja is being built (S9.1)."""

from __future__ import annotations

from progress_plugin.summary.content import Content


def plain(content: Content) -> str:
    """Return where the work stands and the stories worked on last, from the standard library alone."""
    lines = [f"Progress Summary: {content.name}", f"Stories: {content.stories}"]
    if content.current:
        lines.append(f"Current: {content.current}")
    lines += ["Blocked: None"] if not content.blocked else [f"Blocked: {line}" for line in content.blocked]
    if content.next:
        lines.append(f"Next: {content.next}")
    for heading, statements in (("Patterns", content.patterns), ("Gotchas", content.gotchas)):
        if statements:
            lines += ["", f"{heading}:", *(f"- {statement.text}" for statement in statements)]
    for story in content.recent:
        lines += ["", story.heading, *(f"- {bullet}" for bullet in story.bullets)]
    return "\n".join([*lines, "", *content.receipt, f"Made from {content.sources}."]) + "\n"
