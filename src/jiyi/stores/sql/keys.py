"""Access keys, and the answers that a retried request gets again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jiyi.errors import ConflictError, NotFoundError
from jiyi.stores.sql.changing import insert
from jiyi.stores.sql.codec import (
    dump,
    load,
    micros,
    moment,
    optional_micros,
    pack_id,
    unpack_id,
    zone_of,
)
from jiyi.stores.sql.session import ReadSession, WriteSession
from jiyi.types import Key, Reply

if TYPE_CHECKING:
    from datetime import datetime

    from jiyi.stores.sql.connection import Row
    from jiyi.types import Scope

_COLUMNS = (
    "id, name, digest, rights, tenant, every_tenant, users, agents, created_at, zone,"
    " expires_at, revoked_at"
)
_SELECT = f"SELECT {_COLUMNS} FROM access_key"  # noqa: S608 - constant names
_SELECT_REPLY = "SELECT digest, at, zone, body FROM reply WHERE space = :space AND name = :name"
_PUT_REPLY = """
INSERT INTO reply (space, name, digest, at, zone, body)
VALUES (:space, :name, :digest, :at, :zone, :body) ON CONFLICT (space, name)
DO UPDATE SET digest = EXCLUDED.digest, at = EXCLUDED.at, zone = EXCLUDED.zone,
    body = EXCLUDED.body
"""


class KeyReads(ReadSession):
    """The access side of the `Reader` port."""

    def access_key(self, id: str) -> tuple[Key, bytes] | None:
        row = self._db.one(f"{_SELECT} WHERE id = :id", {"id": pack_id(id)})
        return None if row is None else (_decode(row), bytes(row[2]))

    def access_keys(self) -> list[Key]:
        return [_decode(row) for row in self._db.all(f"{_SELECT} ORDER BY created_at, id", {})]

    def reply(self, scope: Scope, name: bytes) -> Reply | None:
        space = self._own_space(scope)
        if space is None:
            return None
        row = self._db.one(_SELECT_REPLY, {"space": space.id, "name": name})
        if row is None:
            return None
        digest, at, zone, body = row
        return Reply(digest=bytes(digest), at=moment(at, zone), body=body)


class KeyWrites(KeyReads, WriteSession):
    """The access side of the `Writer` port."""

    def add_access_key(self, key: Key, digest: bytes) -> None:
        row: dict[str, Any] = {
            "id": pack_id(key.id),
            "name": key.name,
            "digest": digest,
            "rights": dump(sorted(key.rights), "rights"),
            "tenant": key.tenant or "",
            "every_tenant": int(key.every_tenant),
            "users": None if key.users is None else dump(list(key.users), "users"),
            "agents": None if key.agents is None else dump(list(key.agents), "agents"),
            "created_at": micros(key.created_at),
            "zone": zone_of(key.created_at),
            "expires_at": optional_micros(key.expires_at),
            "revoked_at": optional_micros(key.revoked_at),
        }
        if not insert(self._db, "access_key", row, or_nothing=True):
            raise ConflictError(f"there is already a key {key.id}")

    def revoke_access_key(self, id: str, *, at: datetime) -> Key:
        self._db.run(
            "UPDATE access_key SET revoked_at = :at WHERE id = :id AND revoked_at IS NULL",
            {"id": pack_id(id), "at": micros(at)},
        )
        found = self.access_key(id)
        if found is None:
            raise NotFoundError("key", id)
        return found[0]

    def put_reply(self, scope: Scope, name: bytes, reply: Reply) -> None:
        self._db.run(
            _PUT_REPLY,
            {
                "space": self._open_own(scope).id,
                "name": name,
                "digest": reply.digest,
                "at": micros(reply.at),
                "zone": zone_of(reply.at),
                "body": reply.body,
            },
        )

    def drop_reply(self, scope: Scope, name: bytes) -> None:
        self._db.run(
            "DELETE FROM reply WHERE space = :space AND name = :name",
            {"space": self._open_own(scope).id, "name": name},
        )

    def drop_replies(self, *, before: datetime) -> int:
        return self._db.run("DELETE FROM reply WHERE at < :before", {"before": micros(before)})


def _decode(row: Row) -> Key:
    id, name, _, rights, tenant, every, users, agents, created_at, zone, expires, revoked = row
    return Key(
        id=unpack_id(id),
        name=name,
        rights=frozenset(load(rights)),
        created_at=moment(created_at, zone),
        tenant=tenant or None,
        every_tenant=bool(every),
        users=None if users is None else tuple(load(users)),
        agents=None if agents is None else tuple(load(agents)),
        expires_at=None if expires is None else moment(expires, zone),
        revoked_at=None if revoked is None else moment(revoked, zone),
    )
