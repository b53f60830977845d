"""The nouns that all packages share: status, story and plan, event, learning, origin."""
