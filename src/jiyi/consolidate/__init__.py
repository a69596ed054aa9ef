"""④ Memories are kept in order."""

from jiyi.consolidate.policies import (
    Capacity,
    Every,
    Faded,
    Policies,
    Policy,
    Rare,
    Unconfirmed,
    Unused,
)

__all__ = ["Capacity", "Every", "Faded", "Policies", "Policy", "Rare", "Unconfirmed", "Unused"]
