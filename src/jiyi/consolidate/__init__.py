"""④ Memories are kept in order."""
