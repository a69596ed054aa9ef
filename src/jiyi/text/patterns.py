"""Regular expressions that are compiled when they are first used.

The rules of two languages are hundreds of patterns; compiling them all took most of the time of
`import jiyi`, also for programs that never observe a turn.
"""

from __future__ import annotations

import re
from typing import Any, cast


class _Lazy:
    """Stands in for a compiled pattern; its methods are fetched once and kept on the instance."""

    def __init__(self, source: str, flags: int) -> None:
        self.pattern = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self.pattern, self._flags)
        for method in ("search", "match", "fullmatch", "finditer", "findall", "sub", "split"):
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def regex(source: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern for `source`, like `re.compile`, but compiled at its first use."""
    return cast("re.Pattern[str]", _Lazy(source, flags))
