"""The exact, structured view of a user's slots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from jiyi.types.words import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileField:
    """One field of a profile: the value, and where it comes from (None for permanent fields).

    `group` is the part of the profile that the schema shows it in, such as "work".
    """

    attribute: str
    value: Json
    permanent: bool
    subject: str = "user"
    memory_id: str | None = None
    since: datetime | None = None
    group: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The exact, structured view of a user: what the application set, and what was learned."""

    permanent: Mapping[str, Json]
    learned: tuple[ProfileField, ...]

    def get(self, attribute: str) -> Json:
        """The permanent value of `attribute`, else the newest learned one, else None."""
        if attribute in self.permanent:
            return self.permanent[attribute]
        return next((f.value for f in self.learned if f.attribute == attribute), None)
