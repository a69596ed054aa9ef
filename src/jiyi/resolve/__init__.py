"""Duplicate, update or contradiction: decided once, for encoding and consolidation alike."""
