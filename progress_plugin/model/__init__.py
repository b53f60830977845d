"""The types that all packages share: status, plan and item, entry, statement and learning, claim."""
