"""The short-term memory of one conversation."""
