"""The verbs that keep memories in order: consolidation, and the inbox of contradictions."""

from __future__ import annotations

from typing import Unpack

from jiyi.arguments import read_flag
from jiyi.consolidate.conflicts import open_conflicts, settle
from jiyi.consolidate.policies import Policies
from jiyi.errors import InvalidInputError
from jiyi.ids import parse_id
from jiyi.memory.view import View
from jiyi.types import Conflict, ConsolidationReport, Outcome, ScopeFields


class Upkeep(View):
    """What keeps a memory small, current and free of contradictions."""

    def consolidate(
        self,
        *,
        dry_run: bool = False,
        policies: Policies | None = None,
        **scope: Unpack[ScopeFields],
    ) -> ConsolidationReport:
        """Keep the memories of a user in order: merge what says the same, drop what nothing
        confirmed, sum up and archive what fades, draw lessons. See docs/consolidation.md.

        Nothing is erased. `undo(report.run_id)` takes all of it back. A chat model, if there is
        one, words summaries; when it fails, nothing is changed and the report says so.

        Args:
            dry_run: only say what would be done by rules; no model is asked.
            policies: what to archive and when; by default those of this memory.

        Raises:
            ConflictError: another consolidation of this user is at work.
            InvalidInputError: policies that make no sense.
        """
        where, now, parts = self._within(scope), self._now(), self._parts
        if policies is not None and not isinstance(policies, Policies):
            raise InvalidInputError(
                "policies", f"expected Policies, got {type(policies).__name__}", "Use Policies(…)"
            )
        parts.journal.flush(at=now)
        chosen = parts.policies if policies is None else policies
        report = parts.consolidator.run(
            where, chosen, now=now, dry_run=read_flag(dry_run, "dry_run")
        )
        parts.worker.wake()
        return report

    def conflicts(
        self, *, propose: bool = False, **scope: Unpack[ScopeFields]
    ) -> tuple[Conflict, ...]:
        """Live statements that cannot both hold and that no rule decides between, newest first.

        One leaves the list when a later statement replaces a side of it, or with
        `resolve_conflict`.

        Args:
            propose: ask the chat model, if there is one, which side of each it would keep.

        Raises:
            ModelError: it was asked, and failed.
        """
        where, now, parts = self._within(scope), self._now(), self._parts
        with parts.store.read() as reader:
            found = open_conflicts(reader, where, now=now)
        if read_flag(propose, "propose"):
            found = parts.consolidator.propose(where, found, now=now)
        return tuple(found)

    def resolve_conflict(
        self, keep: str, other: str, *, both: bool = False, **scope: Unpack[ScopeFields]
    ) -> Outcome:
        """Decide a contradiction: `keep` holds and replaces `other`; with `both`, they hold side by
        side and are not listed again.

        Raises:
            NotFoundError, ConflictError: no such memory, or it is no longer live.
        """
        where, now = self._within(scope), self._now()
        kept, gone = parse_id(keep, "keep"), parse_id(other, "other")
        with self._parts.store.write() as writer:
            return settle(writer, where, kept, gone, both=read_flag(both, "both"), now=now)
