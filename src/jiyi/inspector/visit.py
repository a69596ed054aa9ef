"""One visit: who looks, at whose memory, in which language, and what they sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote, urlencode

from jiyi.errors import AccessError, InvalidInputError
from jiyi.inspector.language import say

if TYPE_CHECKING:
    from jiyi.access import Admission
    from jiyi.memory import Memory
    from jiyi.ports import Store
    from jiyi.text.language import Language
    from jiyi.types import Right, Scope

SCOPE = ("tenant", "user", "agent")
"""The fields of the scope that addresses carry."""

Theme = Literal["auto", "light", "dark"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """What a page knows of its visitor. `query`, `form` and `path` hold single texts.

    `store` is the whole one: only for what is narrowed to the visitor's reach afterwards.
    """

    admission: Admission
    store: Store
    now: datetime
    language: Language
    theme: Theme
    seal: str
    address: str
    root: str = ""
    query: Mapping[str, str] = field(default_factory=dict)
    form: Mapping[str, str] = field(default_factory=dict)
    path: Mapping[str, str] = field(default_factory=dict)

    @property
    def scope(self) -> dict[str, str]:
        """The tenant, user and agent that the address names."""
        return {name: value for name in SCOPE if (value := self.query.get(name))}

    def view(self, right: Right = "read") -> Memory:
        """The memory that is looked at, as far as the visitor reaches.

        Raises:
            AccessError: they lack the right, or do not reach this user.
        """
        return self.admission.memory(right, **self.scope)

    @property
    def sees_every_agent(self) -> bool:
        """Whether the visitor looks after all of a user's agents, not after some of them."""
        key = self.admission.key
        return key is None or key.agents is None

    @property
    def whose(self) -> Scope | None:
        """Whose memory is looked at; None where the key leaves open whose."""
        try:
            return self.admission.scope("read", **self.scope)
        except AccessError:
            return None

    def may(self, right: Right) -> bool:
        return self.admission.may(right)

    def link(self, path: str, **query: Any) -> str:
        """An address of a page, about the same user; None leaves a part of the query out."""
        parts = {**self.scope, **{k: v for k, v in query.items() if v not in (None, "")}}
        tail = f"?{urlencode(parts)}" if parts else ""
        return f"{self.root}{quote(path)}{tail}"

    def plain_link(self, path: str, **query: str) -> str:
        """An address that names no user, or another one."""
        tail = f"?{urlencode(query)}" if query else ""
        return f"{self.root}{quote(path)}{tail}"

    def say(self, text: str, **values: object) -> str:
        """A text in the visitor's language."""
        return say(text, self.language, **values)

    def asked(self, name: str, default: str = "") -> str:
        """A part of the query, without white space around it."""
        return self.query.get(name, default).strip()

    def sent(self, name: str) -> str:
        """A field of the form, which has to be there.

        Raises:
            InvalidInputError: it is missing or empty.
        """
        value = self.form.get(name, "").strip()
        if not value:
            raise InvalidInputError(name, "it is empty", "Fill it in")
        return value


def form_token(seal: str) -> str:
    """What every form carries: made of a cookie that no other site can read."""
    return blake2b(b"form", key=seal.encode()[:64], digest_size=16).hexdigest()
