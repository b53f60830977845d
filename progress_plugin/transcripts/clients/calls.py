"""The calls of an agent that have no result yet, and since when each of them can have run."""

from dataclasses import dataclass
from typing import Any


@dataclass
class Call:
    """A call of a tool, as far as an event needs it."""

    tool: str
    began: str
    command: str = ""
    path: str = ""
    directory: str = ""
    given: Any = None  # further arguments, as the client wrote them
    in_background: bool = False


class Calls(dict[str, Call]):
    """The open calls by the client's ids. A client writes several at once, and runs one after the other."""

    def end(self, name: str, when: str, *, is_over: bool = True) -> Call | None:
        """Return a call whose result came; it is removed if it is over, else it goes on in the background."""
        call = self.get(name)
        names = list(self)
        for later in names[names.index(name) + 1 :] if call else ():
            if not self[later].in_background:
                self[later].began = max(self[later].began, when)
        if call is not None and is_over:
            del self[name]
        elif call is not None:
            call.in_background = True
        return call
