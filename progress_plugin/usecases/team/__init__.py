"""The exchange of a project with its team's server, and claims.

A function that asks the server raises BadInput if no team is configured, and TeamServerFault if the server
cannot be reached or refuses.
"""
