"""The memory as tools for agents that speak MCP, over stdio or HTTP.

`server.build_server` makes a server; nothing here imports the SDK before that.
"""
