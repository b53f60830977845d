"""What the types of our entries say of a story; the list of types is in `log.entry`."""

from progress_plugin.model.status import Status

STATUS_OF_TYPE = {"task_completed": Status.DONE, "task_blocked": Status.BLOCKED}  # others: work goes on
TYPE_OF_STATUS = {status: kind for kind, status in STATUS_OF_TYPE.items()}
SCOPE_CHANGE = "scope_override"  # the user wants something else than the plan says
THIS_CLONE = "this clone"  # what the clone at hand is called among writers
