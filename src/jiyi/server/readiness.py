"""Whether the store can be used: what /readyz and the metrics tell, and the log when it changes."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from jiyi.errors import StoreError

if TYPE_CHECKING:
    from jiyi.memory import Memory

logger = logging.getLogger("jiyi.server")


class Readiness:
    """Watches the store of one process."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._away = False

    def jobs(self) -> dict[str, int]:
        """Background jobs of the whole store by state.

        Raises:
            StoreError: the store cannot be used, and why.
        """
        try:
            with self._memory.store.read() as reader:
                counts = reader.queue_counts()
        except StoreError as error:
            if not self._away:
                logger.error("the store cannot be used: %s", error)  # noqa: TRY400 - it says why
            self._away = True
            raise
        if self._away:
            logger.warning("the store can be used again")
        self._away = False
        return counts
