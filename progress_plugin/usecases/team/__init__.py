"""The exchange of a project with its team's server, and claims.

`sync`, `claim_story`, `release_story` and `prepare_server` raise BadInput if no team is configured, and
TeamServerFault if the server cannot be reached or refuses.
"""
