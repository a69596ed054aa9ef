"""jiyi (记忆): the long-term memory of AI agents."""
