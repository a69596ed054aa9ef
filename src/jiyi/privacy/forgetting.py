"""Explicit forgetting: which units a request means, and their erasure with a receipt."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from jiyi.errors import InvalidInputError, NotFoundError
from jiyi.ids import new_id, parse_id, to_utc
from jiyi.ports import Erasure, Selection
from jiyi.privacy.beside import (
    ForgetRequest,
    documents_meant,
    is_wanted,
    mentions,
    notes_meant,
    passages_meant,
)
from jiyi.privacy.meaning import meant_by
from jiyi.resolve.authors import is_author
from jiyi.resolve.kin import with_kin
from jiyi.resolve.names import names_of
from jiyi.text.entities import name_key
from jiyi.text.normalise import check_name, check_text
from jiyi.types import STATUSES, ForgetReport, MemoryRecord, Scope

if TYPE_CHECKING:
    from jiyi.ports import Reader, Store, Writer

BEYOND = (
    "backups and exports made earlier",
    "text that a program has already taken out, such as a model's prompt",
    "ids, and the names of the scope (tenant, user, agent, …), which stay with the tombstones",
)
BEYOND_EVERYTHING = (
    *BEYOND[:2],
    "ids, the tenant's name, and of the user's a keyed hash, which stay with the tombstones",
)
EVER = datetime.max.replace(tzinfo=UTC)
EVERY_STATUS = frozenset(STATUSES) - {"forgotten"}


@dataclass(frozen=True, slots=True)
class ForgetPlan:
    """The memories and turns that a request means, the turns that the memories cite, notes as
    (task, name), and passages of documents, or whole documents whose own title or values hold
    what is meant. `kept_fields` are the names of permanent fields that
    hold what is meant: they are the application's own, and stay."""

    memories: tuple[str, ...]
    turns: tuple[str, ...]
    cited: tuple[str, ...]
    notes: tuple[tuple[str, str], ...] = ()
    passages: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    kept_fields: tuple[str, ...] = ()


def read_request(
    *,
    now: datetime,
    ids: object = None,
    query: object = None,
    subject: object = None,
    session: object = None,
    before: datetime | None = None,
    everything: bool = False,
    keep_turns: bool = False,
    confirm: bool = False,
) -> ForgetRequest:
    """Check the arguments of `forget`. At least one selector is needed.

    Raises:
        InvalidInputError: naming the argument.
    """
    if isinstance(ids, str):
        ids = [ids]
    if ids is not None:
        if not isinstance(ids, Sequence) or not ids:
            raise InvalidInputError("ids", "expected one id or a list of ids", "Pass some ids")
        ids = tuple(parse_id(id, f"ids[{n}]") for n, id in enumerate(ids))
    request = ForgetRequest(
        ids=ids,
        query=None if query is None else check_text(query, "query"),
        subject=None if subject is None else check_text(subject, "subject"),
        session=check_name(session, "session"),
        before=None if before is None else to_utc(before, now),
        everything=everything,
        keep_turns=keep_turns,
        confirm=confirm,
    )
    selectors = (request.ids, request.query, request.subject, request.session, request.before)
    if everything and any(s is not None for s in selectors):
        raise InvalidInputError("everything", "it stands alone", "Leave the other selectors out")
    if not everything and all(s is None for s in selectors):
        raise InvalidInputError(
            "forget", "nothing says what", "Give ids, query, subject, session, before or everything"
        )
    return request


def forget(
    store: Store,
    scope: Scope,
    request: ForgetRequest,
    *,
    now: datetime,
    dry_run: bool,
) -> ForgetReport:
    """Erase what a request means, in one transaction. `Store.purge` drives it out of the files.

    Raises:
        NotFoundError: an id that is not in this scope; then nothing is erased.
        InvalidInputError: `everything` without a named user and without `confirm`.
    """
    if request.everything:
        return _forget_everything(store, scope, request, now=now, dry_run=dry_run)
    if dry_run:
        with store.read() as reader:
            plan = make_plan(reader, scope, request, now=now)
        turns = plan.turns if request.keep_turns else _merge(plan.turns, plan.cited)
        counts = {"memories": len(plan.memories), "turns": len(turns)}
        beside = {"notes": len(plan.notes), "passages": len(plan.passages)}
        beside["documents"] = len(plan.documents)
        counts |= {kind: number for kind, number in beside.items() if number}
        return ForgetReport(
            memory_ids=plan.memories,
            turn_ids=turns,
            counts=counts,
            dry_run=True,
            beyond=_beyond(plan.kept_fields),
        )
    event_id = new_id()
    with store.write() as writer:
        plan = make_plan(writer, scope, request, now=now)
        erasures = erase_plan(
            writer, scope, plan, keep_turns=request.keep_turns, now=now, event_id=event_id
        )
    return _report(erasures, event_id, plan.kept_fields)


def _beyond(kept_fields: Sequence[str]) -> tuple[str, ...]:
    """What stays, permanent fields that hold what was to be forgotten first."""
    kept = [f"the permanent field {name}: set_permanent({name}=None)" for name in kept_fields]
    return (*kept, *BEYOND)


def erase_plan(
    writer: Writer,
    scope: Scope,
    plan: ForgetPlan,
    *,
    keep_turns: bool,
    now: datetime,
    event_id: str,
    reason: str = "forgotten on request",
) -> list[Erasure]:
    """Carry out a plan inside a transaction that is already open.

    All traces of the space go with it, also where the plan is empty: their questions may hold what
    is to be forgotten in other words.
    """
    cited = [turn for turn in plan.cited if turn not in plan.turns]
    if keep_turns:
        writer.set_encodable(scope, cited, value=False)
        cited = []
    erasures = []
    if plan.memories:
        erasures.append(
            writer.erase(
                scope,
                memory_ids=plan.memories,
                turn_ids=cited,
                cascade=False,
                at=now,
                reason=reason,
                event_id=event_id,
            )
        )
    if plan.turns:
        second = event_id if not erasures else new_id()
        erasures.append(
            writer.erase(scope, turn_ids=plan.turns, at=now, reason=reason, event_id=second)
        )
    for ids, erase in (
        (plan.passages, writer.erase_passages),
        (plan.documents, writer.remove_documents),
    ):
        if ids:
            own = event_id if not erasures else new_id()
            erasures.append(erase(scope, ids, at=now, reason=reason, event_id=own))
    if not erasures:  # so that other processes drop the traces they have not written yet
        erasures.append(writer.erase(scope, at=now, reason=reason, event_id=event_id))
    for task, name in plan.notes:
        writer.set_note(scope, task, name, None, at=now)
    rest = {"notes": len(plan.notes), "traces": writer.prune_traces(scope, before=EVER)}
    erasures.append(Erasure((), (), {kind: rows for kind, rows in rest.items() if rows}))
    return erasures


def make_plan(
    reader: Reader,
    scope: Scope,
    request: ForgetRequest,
    *,
    now: datetime,
) -> ForgetPlan:
    """The units that every given selector means."""
    every = Selection(now=now, statuses=EVERY_STATUS, ids=request.ids)
    memories, _ = reader.memories(scope, every)
    # What others share with us is read, not erased by us.
    memories = [m for m in memories if is_author(m, scope)]
    turns = reader.turns(scope, session=request.session, ids=request.ids)
    if request.ids is not None:
        missing = set(request.ids) - {m.id for m in memories} - {t.id for t in turns}
        if missing:
            raise NotFoundError("memory or turn", min(missing))
    if request.query is not None:
        meant = meant_by(reader, scope, request.query, every)
        memories = [m for m in memories if m.id in meant.memories]
        turns = [t for t in turns if t.id in meant.turns]
    if request.subject is not None:
        names = names_of(reader, scope, request.subject, now=now)
        named = {m.memory_id for m in reader.mentions(scope, list(names), now=now)}
        memories = [m for m in memories if m.id in named or _is_about(m, names)]
        known = [name for name in names if name != "user"]
        turns = [t for t in turns if any(mentions(t.text, name) for name in known)]
    if request.session is not None:
        memories = [m for m in memories if _only_from(m, request.session)]
    if request.before is not None:
        memories = [m for m in memories if to_utc(m.said_at, now) < request.before]
        turns = [t for t in turns if to_utc(t.said_at, now) < request.before]
    memories = with_kin(reader, scope, memories, now=now)
    cited = {s.turn_id for m in memories for s in m.sources if s.turn_id is not None}
    documents = [d.id for d in documents_meant(reader, scope, request, now=now)]
    return ForgetPlan(
        memories=tuple(m.id for m in memories),
        turns=tuple(t.id for t in turns),
        cited=tuple(sorted(cited)),
        notes=notes_meant(reader, scope, request),
        passages=passages_meant(reader, scope, request, now=now, but=documents),
        documents=tuple(documents),
        kept_fields=tuple(
            name
            for name, value in reader.permanent(scope).items()
            if is_wanted(f"{name}: {value}", request)
        ),
    )


def _forget_everything(
    store: Store, scope: Scope, request: ForgetRequest, *, now: datetime, dry_run: bool
) -> ForgetReport:
    if scope.user is None and not request.confirm:
        raise InvalidInputError(
            "everything",
            "it needs a named user, or confirm=True",
            "Pass user=…, or confirm=True to erase a whole tenant, or what no user is named for",
        )
    beyond = BEYOND if scope.user is None else BEYOND_EVERYTHING
    if dry_run:
        with store.read() as reader:
            ids, counts = _count_everything(reader, scope, now)
        return ForgetReport(memory_ids=ids, turn_ids=(), counts=counts, dry_run=True, beyond=beyond)
    event_id = new_id()
    with store.write() as writer:
        erasure = writer.erase_space(
            scope, at=now, reason="everything forgotten on request", event_id=event_id
        )
    return replace(_report([erasure], event_id), beyond=beyond)


def _count_everything(
    reader: Reader, scope: Scope, now: datetime
) -> tuple[tuple[str, ...], dict[str, int]]:
    """The memories that go with a user, a tenant, or nobody named, and how much goes beside them:
    whomever of the user's agents it is for, and what the user shares."""
    spaces = [scope]
    if scope.user is None and scope.tenant is not None:
        spaces = [space for space in reader.spaces() if space.tenant == scope.tenant]
    found: list[str] = []
    counts = {"memories": 0, "turns": 0}
    for space in spaces:
        memories = reader.space_memories(space, statuses=EVERY_STATUS, now=now)
        whole = scope.user is not None or scope.tenant is not None
        found += [m.id for m in memories if whole or is_author(m, scope)]
        beside = {
            **reader.counts(space),
            "notes": sum(len(reader.notes(space, task)) for task in reader.tasks(space)),
            "permanent fields": len(reader.permanent(space)),
        }
        for kind, number in beside.items():
            if not kind.startswith("memories."):
                counts[kind] = counts.get(kind, 0) + number
    if scope.user is not None:
        shared, _ = reader.memories(scope, Selection(now=now, statuses=EVERY_STATUS))
        found += [m.id for m in shared if m.visibility == "shared" and is_author(m, scope)]
    counts["memories"] = len(found)
    return tuple(found), {kind: number for kind, number in counts.items() if number}


def _report(
    erasures: Sequence[Erasure], event_id: str, kept_fields: Sequence[str] = ()
) -> ForgetReport:
    counts: dict[str, int] = {}
    for erasure in erasures:
        for kind, number in erasure.counts.items():
            counts[kind] = counts.get(kind, 0) + number
    return ForgetReport(
        memory_ids=_merge(*(e.memory_ids for e in erasures)),
        turn_ids=_merge(*(e.turn_ids for e in erasures)),
        counts=counts,
        dry_run=False,
        beyond=_beyond(kept_fields),
        event_id=event_id,
    )


def _merge(*groups: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(id for group in groups for id in group))


def _is_about(memory: MemoryRecord, subjects: Collection[str]) -> bool:
    names = [*memory.entities, *(memory.event.entities if memory.event else ())]
    if memory.slot is not None:
        names.append(memory.slot.subject)
    return any(name_key(name) in subjects for name in names)


def _only_from(memory: MemoryRecord, session: str) -> bool:
    return bool(memory.sources) and all(s.session == session for s in memory.sources)
