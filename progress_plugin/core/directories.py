"""Names of `core.paths` for modules that are about to be replaced."""

from progress_plugin.core.paths import make_private, user_cache, user_data

__all__ = ["make_private", "user_cache", "user_data"]
