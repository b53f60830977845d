"""One kind of secret: the pattern that finds it, and the group that holds it; all are in `secret_shapes`."""

from progress_plugin.core.light_typing import NamedTuple


class Shape(NamedTuple):
    """One kind of secret: the whole match, or the group that took part where the surroundings matter."""

    kind: str
    hints: tuple[str, ...]
    """Lower-case texts of which one is in every text the pattern can match: cheap to look for.

    Of `TOKENS` those that begin with a letter or digit begin a word there.
    """
    pattern: str
    groups: tuple[str, ...] = ()
    """Names of the groups that may hold the secret; `secret_rules.JUDGES` judges each before it goes."""
    within: tuple[str, ...] = ()
    """Lower-case texts of which one, too, is in every text the pattern can match: looked for first."""
    each: str = ""
    """Where the group holds several, the pattern of one, with groups of its own."""
