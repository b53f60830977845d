"""The MCP server: the protocol over standard input and output, and the five tools."""
