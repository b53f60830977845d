"""Which of a plan's dependencies are told besides the table: those that no row of it says (S7.3).

Which a plan has is decided in `usecases.summarizing.gather` (`_dependencies`).
"""

from collections.abc import Iterable, Sequence

from progress_plugin.summary.view_model import Statement, StoryTableRow


def unsaid(dependencies: Iterable[Statement], rows: Sequence[StoryTableRow]) -> list[Statement]:
    """Return the dependencies but those of stories whose row says what they wait for; all that logs teach."""
    said = {str(row.id) for row in rows if row.waits}
    return [each for each in dependencies if each.ranks or each.learning.story not in said]
