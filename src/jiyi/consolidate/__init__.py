"""④ Memories are kept in order."""

from jiyi.consolidate.policies import Capacity, Every, Faded, Policies, Policy, Rare, Unused

__all__ = ["Capacity", "Every", "Faded", "Policies", "Policy", "Rare", "Unused"]
