"""The project and the commands of the tests of the command line."""

from tests.cli.conftest import project, run

__all__ = ["project", "run"]
