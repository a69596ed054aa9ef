"""What is public is named, and what is named is there."""

from __future__ import annotations

import subprocess
import sys
import types

import jiyi


def test_all_is_complete_and_sorted() -> None:
    """Every public name of the package is in `__all__`, in order, and nothing else is."""
    public = {
        name
        for name in dir(jiyi)
        if not name.startswith("_") and not isinstance(getattr(jiyi, name), types.ModuleType)
    }
    assert set(jiyi.__all__) == public
    assert list(jiyi.__all__) == sorted(jiyi.__all__)


def test_every_public_name_is_described() -> None:
    """Every public class says in a docstring what it is."""
    for name in jiyi.__all__:
        doc = getattr(jiyi, name).__doc__
        assert doc, name
        assert not doc.startswith(f"{name}("), f"{name} has only its generated signature"


def test_importing_opens_no_room() -> None:
    """`import jiyi` is light: what stands behind `Memory` is imported when it is asked for."""
    program = "import sys, jiyi; print('numpy' in sys.modules, 'jiyi.recall' in sys.modules)"
    told = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert told.stdout.split() == ["False", "False"]
