"""Extraction by rules: what a turn says about the speaker and their world, without a model.

A turn is guarded (`encode.guard`), cut into clauses with their subjects (`clauses_en`,
`clauses_zh`), and each clause is read by one kind of rule after the other.
"""

from __future__ import annotations

from jiyi.encode.rules.commands import Command, Erase, Retract
from jiyi.encode.rules.extraction import Extraction, extract

__all__ = ["Command", "Erase", "Extraction", "Retract", "extract"]
