"""Adapters that ask chat models, one file each. None is opened unless it was named."""
