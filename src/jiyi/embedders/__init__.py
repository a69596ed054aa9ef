"""Adapters that turn texts into vectors, one file each."""
