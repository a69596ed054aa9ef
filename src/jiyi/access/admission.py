"""One who was let in, and the memory as they may see it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Unpack

from jiyi.access.authorise import check_right, confine
from jiyi.errors import AccessError
from jiyi.types import Key, Right, Scope, ScopeFields

if TYPE_CHECKING:
    from jiyi.memory import Memory

EVERYWHERE: Final = dict.fromkeys(ScopeFields.__optional_keys__)
"""For `scoped`: the whole store, whatever the scope was."""


@dataclass(frozen=True, slots=True)
class Admission:
    """Somebody who was let in. `key` is None where the door stands open: they may do everything."""

    key: Key | None
    _memory: Memory = field(repr=False)

    def may(self, right: Right) -> bool:
        """Whether they have this right, wherever they have it."""
        return self.key is None or right in self.key.rights

    def scope(self, right: Right, **scope: Unpack[ScopeFields]) -> Scope:
        """The scope that these fields mean for them.

        Raises:
            AccessError: they lack the right, or do not reach it.
            InvalidInputError: a field is no name.
        """
        view = self.memory(right, **scope)
        return view.scope if self.key is None else confine(self.key, view.scope)

    def memory(self, right: Right, **scope: Unpack[ScopeFields]) -> Memory:
        """The memory as they see it, in this scope. Every verb of the view stays within their
        reach, whatever scope it is given; the right is checked here, once, so a view that was
        taken for reading is for reading.

        Raises:
            AccessError, InvalidInputError: see `scope`.
        """
        key = self.key
        if key is None:
            return self._memory.scoped(**scope)
        check_right(key, right)
        view = self._memory.on_behalf(key.id, lambda asked: confine(key, asked))
        # Nothing named yet is no scope yet: a key for several users waits for the verb to name one.
        return view.scoped(**scope) if scope else view

    def whole_store(self, right: Right = "admin") -> Memory:
        """The memory of every tenant, for verbs that know no scope, and for whole archives.

        Raises:
            AccessError: the key is not for every tenant, or not for every user, or lacks the right.
        """
        key = self.key
        if key is not None:
            check_right(key, right)
            if not key.every_tenant or key.users is not None or key.agents is not None:
                raise AccessError("this needs a key for every tenant", known=True)
            return self._memory.on_behalf(key.id, lambda asked: asked)
        return self._memory
