"""The figures of the table, here as well."""

from tests.torture.figures import kept

__all__ = ["kept"]
