"""③ Turns become memories: extract, gate, guard, resolve, commit."""
