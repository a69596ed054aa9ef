"""Other systems' files come in here: conversations and memory lists become our values."""

from jiyi.formats.files import read_file
from jiyi.formats.values import Conversation, Imported, ImportedMemory

__all__ = ["Conversation", "Imported", "ImportedMemory", "read_file"]
