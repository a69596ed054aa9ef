"""Language as pure functions: normal forms, search terms, sentences, times, names, token counts."""
