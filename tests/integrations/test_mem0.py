"""Mem0's facade: the arguments and results of the real package, on a memory of ours."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest

import jiyi
from jiyi.integrations.mem0 import AsyncMemory, Memory, MemoryNotFoundError
from jiyi.testing import FakeClock

VERBS = (
    *("add", "search", "get", "get_all", "update", "delete", "delete_all", "history", "reset"),
    *("from_config", "close"),
)


@pytest.fixture
def m(memory: jiyi.Memory) -> Memory:
    return Memory(memory)


def texts(results: dict[str, Any]) -> list[str]:
    return [result["memory"] for result in results["results"]]


def everything(m: Memory, **filters: Any) -> list[str]:
    return sorted(texts(m.get_all(filters=filters, top_k=1000)))


# --- against the real package ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEM0_TELEMETRY", "False")
        patch.setenv("MEM0_DIR", str(tmp_path_factory.mktemp("mem0")))
        yield pytest.importorskip("mem0", reason="pip install mem0ai, of the group mem0")


@pytest.mark.parametrize("verb", VERBS)
def test_the_signatures_are_those_of_the_real_package(real: Any, verb: str) -> None:
    """Every argument has the name, the kind and, where it is a plain value, the default of the
    installed mem0ai, in the class and its awaited twin."""
    for ours, theirs in ((Memory, real.Memory), (AsyncMemory, real.AsyncMemory)):
        mine, wanted = (inspect.signature(getattr(c, verb)).parameters for c in (ours, theirs))
        mine, wanted = (
            {name: p for name, p in found.items() if name not in ("self", "cls")}
            for found in (mine, wanted)
        )
        wanted.pop("llm", None)  # of the awaited `add` alone, which asks no model here
        assert list(mine) == list(wanted)
        for name, parameter in wanted.items():
            assert mine[name].kind == parameter.kind, name
            default = parameter.default
            if default is None or isinstance(default, (bool, int, float, str)):
                assert mine[name].default == default, name
            assert (mine[name].default is inspect.Parameter.empty) == (
                default is inspect.Parameter.empty
            ), name
        awaited = inspect.iscoroutinefunction(getattr(theirs, verb))
        assert inspect.iscoroutinefunction(getattr(ours, verb)) == awaited


def test_a_result_has_the_fields_of_the_real_package(real: Any, m: Memory) -> None:
    """A memory has the keys that mem0's own item has, and ids beside them."""
    from mem0.configs.base import MemoryItem

    m.add("I live in Leeds.", user_id="ann", agent_id="a", run_id="r", metadata={"k": 1})
    (found,) = m.search("Where do I live?", filters={"user_id": "ann"})["results"]
    assert set(MemoryItem.model_fields) | {"user_id", "agent_id", "run_id"} == set(found)
    assert set(m.get(found["id"]) or {}) == set(found)
    (listed,) = m.get_all(filters={"user_id": "ann"})["results"]
    assert set(listed) == set(found) - {"score"}
    assert MemoryItem(**found).metadata == {"k": 1}


def test_the_real_configuration_opens_it(real: Any, tmp_path: Path) -> None:
    """A MemoryConfig, or its mapping, is taken as it is; the file lies beside Mem0's own."""
    from mem0.configs.base import MemoryConfig

    history = str(tmp_path / "history.db")
    for opened in (
        Memory(MemoryConfig(history_db_path=history)),
        Memory.from_config({"history_db_path": history, "version": "v1.1"}),
    ):
        with opened as m:
            m.add("I live in Leeds.", user_id="ann")
    assert [path.name for path in tmp_path.glob("*.db")] == ["mem0.jiyi.db"]


# --- what it does ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "asked", "holds"),
    [
        ("My name is Ann and I live in Leeds.", "Where do I live?", "Leeds"),
        ("我叫小安，我住在汉中。", "我住在哪里？", "汉中"),
        ([{"role": "user", "content": "I am allergic to nuts."}], "allergies", "nuts"),
        ({"role": "user", "content": "我对花生过敏。"}, "我对什么过敏？", "花生"),
    ],
)
def test_infer_reads_messages_by_rules(m: Memory, said: Any, asked: str, holds: str) -> None:
    """Facts are drawn from messages without a key, and the results say which."""
    added = m.add(said, user_id="ann")["results"]
    assert any(holds in result["memory"] for result in added)
    assert {result["event"] for result in added} == {"ADD"}
    best = m.search(asked, filters={"user_id": "ann"})["results"][0]
    assert holds in best["memory"]
    assert best["id"] in {result["id"] for result in added}
    assert 0 < best["score"] <= 1


def test_what_is_no_fact_adds_nothing(m: Memory) -> None:
    """Small talk, questions and facts that are known already leave `results` empty."""
    assert m.add("Hi! How are you?", user_id="ann") == {"results": []}
    m.add("I live in Leeds.", user_id="ann")
    assert m.add("I live in Leeds", user_id="ann") == {"results": []}
    assert everything(m, user_id="ann") == ["I live in Leeds."]


def test_the_newer_fact_is_found(m: Memory) -> None:
    """A fact that replaces another is the only one found; the history of the old one says so."""
    (old,) = m.add("I live in Leeds.", user_id="ann")["results"]
    m.add("I moved to York.", user_id="ann")
    assert everything(m, user_id="ann") == ["I moved to York."]
    assert [row["event"] for row in m.history(old["id"])] == ["ADD", "DELETE"]


def test_infer_false_keeps_messages_as_they_are(m: Memory) -> None:
    """Each message is one memory with its role and speaker; system messages are left out."""
    added = m.add(
        [
            {"role": "system", "content": "You are kind."},
            {"role": "user", "content": "What is for dinner?", "name": "Ann"},
            {"role": "assistant", "content": "Soup."},
            {"role": "user"},
        ],
        run_id="r",
        infer=False,
        metadata={"meal": 1, "user_id": "somebody else"},
    )["results"]
    assert [(r["memory"], r["role"], r["actor_id"], r["event"]) for r in added] == [
        ("What is for dinner?", "user", "Ann", "ADD"),
        ("Soup.", "assistant", None, "ADD"),
    ]
    found = m.get(added[0]["id"])
    assert found is not None
    assert (found["role"], found["actor_id"], found["run_id"]) == ("user", "Ann", "r")
    assert found["metadata"] == {"meal": 1}
    assert "user_id" not in found
    assert m.add("Soup.", run_id="r", infer=False)["results"][0]["event"] == "NONE"


def test_procedures_of_an_agent(m: Memory) -> None:
    """memory_type="procedural_memory" keeps the whole as one procedure of the agent."""
    steps = [{"role": "user", "content": "Open the kiln"}, {"role": "assistant", "content": "Open"}]
    (kept,) = m.add(steps, agent_id="a", memory_type="procedural_memory")["results"]
    assert kept["memory"] == "Open the kiln\nOpen"
    assert everything(m, agent_id="a") == ["Open the kiln\nOpen"]


def test_users_agents_and_runs(m: Memory) -> None:
    """Each id narrows, several do together, and a user never sees another's."""
    for user in ("ann", "bob"):
        for agent, run in (("a1", "r1"), ("a2", "r1"), ("a1", "r2")):
            text = f"{user} {agent} {run}"
            m.add(text, user_id=user, agent_id=agent, run_id=run, infer=False)
    assert len(everything(m, user_id="ann")) == 3
    assert everything(m, user_id="ann", agent_id="a2") == ["ann a2 r1"]
    assert everything(m, user_id="bob", run_id="r1") == ["bob a1 r1", "bob a2 r1"]
    assert everything(m, user_id="bob", agent_id="a1", run_id="r2") == ["bob a1 r2"]
    assert texts(m.search("r2", filters={"user_id": "ann", "run_id": "r1"})) == []
    assert everything(m, agent_id="a1") == [], "without a user, only what was added without one"


def test_a_fact_of_two_runs_is_found_in_both(m: Memory) -> None:
    """What is told in two runs is one memory, and both runs have it."""
    for run in ("r1", "r2"):
        m.add("I live in Leeds.", user_id="ann", run_id=run)
    for run in ("r1", "r2"):
        assert everything(m, user_id="ann", run_id=run) == ["I live in Leeds."]
        assert m.search("Leeds", filters={"user_id": "ann", "run_id": run})["results"]


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"n": 1}, [1]),
        ({"n": {"gte": 1, "lt": 3}}, [1, 2]),
        ({"n": {"ne": 2}}, [0, 1, 3]),
        ({"n": {"in": [0, 3]}}, [0, 3]),
        ({"n": [0, 3]}, [0, 3]),
        ({"n": {"nin": [0, 3]}}, [1, 2]),
        ({"s": {"icontains": "KEY2"}}, [2]),
        ({"OR": [{"n": 0}, {"s": "key3"}]}, [0, 3]),
        ({"NOT": [{"n": 0}, {"n": 1}]}, [2, 3]),
        ({"AND": [{"n": {"gt": 0}}, {"n": {"lte": 2}}]}, [1, 2]),
        ({"n": "*"}, [0, 1, 2, 3]),
        ({"OR": [{"run_id": "run0"}, {"n": 3}]}, [0, 3]),
    ],
)
def test_filters(m: Memory, filters: dict[str, Any], found: list[int]) -> None:
    """The operators of Mem0's filters mean what they say, in both verbs."""
    for n in range(4):
        m.add(
            f"kiln note {n}",
            user_id="ann",
            run_id=f"run{n}",
            metadata={"n": n, "s": f"key{n}"},
            infer=False,
        )
    wanted = [f"kiln note {n}" for n in found]
    assert everything(m, user_id="ann", **filters) == wanted
    searched = m.search("kiln note", filters={"user_id": "ann", **filters}, threshold=0.0)
    assert sorted(texts(searched)) == wanted


def test_update_changes_text_metadata_and_expiry(m: Memory, clock: FakeClock) -> None:
    """The id stays, metadata is added to, ids in it are ignored, and the history has every step."""
    (kept,) = m.add("likes tea", user_id="ann", metadata={"a": 1}, infer=False)["results"]
    clock.advance(hours=1)
    assert m.update(kept["id"], text="likes green tea") == {
        "message": "Memory updated successfully!"
    }
    m.update(kept["id"], metadata={"b": 2, "user_id": "bob"})
    m.update(kept["id"], data="likes white tea")
    found = m.get(kept["id"])
    assert found is not None
    assert (found["memory"], found["metadata"]) == ("likes white tea", {"a": 1, "b": 2})
    assert found["user_id"] == "ann"
    assert found["created_at"] < found["updated_at"] == clock().isoformat()
    rows = m.history(kept["id"])
    assert [(r["event"], r["old_memory"], r["new_memory"]) for r in rows] == [
        ("ADD", None, "likes tea"),
        ("UPDATE", "likes tea", "likes green tea"),
        ("UPDATE", "likes green tea", "likes green tea"),
        ("UPDATE", "likes green tea", "likes white tea"),
    ]
    fields = {"id", "memory_id", "old_memory", "new_memory", "event", "created_at", "updated_at"}
    assert set(rows[0]) == fields | {"is_deleted", "actor_id", "role"}


def test_expiration(m: Memory, clock: FakeClock) -> None:
    """A memory is there until the end of its day, then only with show_expired; None clears it."""
    (kept,) = m.add("A voucher", user_id="ann", expiration_date="2026-03-04", infer=False)[
        "results"
    ]
    assert (m.get(kept["id"]) or {})["expiration_date"] == "2026-03-04"
    clock.set(datetime(2026, 3, 4, 23, 0, tzinfo=UTC))
    assert everything(m, user_id="ann") == ["A voucher"]
    clock.advance(hours=2)
    assert everything(m, user_id="ann") == []
    assert texts(m.get_all(filters={"user_id": "ann"}, show_expired=True)) == ["A voucher"]
    assert texts(m.search("voucher", filters={"user_id": "ann"}, show_expired=True))
    m.update(kept["id"], expiration_date=None)
    assert everything(m, user_id="ann") == ["A voucher"]
    (drawn,) = m.add("I live in Leeds.", user_id="ann", expiration_date="2026-03-05")["results"]
    assert (m.get(drawn["id"]) or {})["expiration_date"] == "2026-03-05"


def test_when_it_was_said(m: Memory) -> None:
    """`timestamp` dates what is added, and `reference_date` asks for what was true then."""
    day = datetime(2026, 1, 5, tzinfo=UTC)
    m.add("I live in Leeds.", user_id="ann", timestamp=int(day.timestamp()))
    m.add("I moved to York.", user_id="ann", timestamp=day + timedelta(days=30))
    then = (day + timedelta(days=3)).isoformat()
    for reference, city in ((None, "York"), (then, "Leeds")):
        found = m.search("Where do I live?", filters={"user_id": "ann"}, reference_date=reference)
        assert city in texts(found)[0]


def test_delete_erases(m: Memory, files: Any) -> None:
    """What is deleted is found nowhere: not by id, not in a file; its history keeps the events."""
    (kept,) = m.add("I live in Quarrytown.", user_id="ann")["results"]
    assert b"Quarrytown" in files()
    assert m.delete(kept["id"]) == {"message": "Memory deleted successfully!"}
    assert m.get(kept["id"]) is None
    assert b"Quarrytown" not in files()
    assert m.history(kept["id"])[-1]["event"] == "DELETE"
    with pytest.raises(ValueError, match="no memory"):
        m.delete(kept["id"])


def test_delete_all_and_reset(m: Memory) -> None:
    """delete_all erases by user, agent or run; reset erases everything."""
    for user in ("ann", "bob"):
        for agent, run in (("a1", "r1"), ("a2", "r2")):
            m.add(f"{user} {agent}", user_id=user, agent_id=agent, run_id=run, infer=False)
    m.add("common", run_id="r1", infer=False)
    m.delete_all(user_id="ann", agent_id="a1")
    assert everything(m, user_id="ann") == ["ann a2"]
    m.delete_all(user_id="bob", run_id="r2")
    assert everything(m, user_id="bob") == ["bob a1"]
    assert m.delete_all(user_id="ann") == {"message": "Memories deleted successfully!"}
    assert everything(m, user_id="ann") == []
    assert everything(m, run_id="r1") == ["common"]
    m.reset()
    assert everything(m, user_id="bob") == everything(m, run_id="r1") == []
    m.add("new", user_id="bob", infer=False)
    assert everything(m, user_id="bob") == ["new"]


def test_more_than_a_page(m: Memory) -> None:
    """top_k is kept also above one page; 0 is none."""
    for start in (0, 150):
        messages = [{"role": "user", "content": f"kiln {n}"} for n in range(start, start + 150)]
        m.add(messages, user_id="ann", infer=False)
    assert len(m.get_all(filters={"user_id": "ann"}, top_k=250)["results"]) == 250
    assert len(m.get_all(filters={"user_id": "ann"})["results"]) == 20
    assert m.get_all(filters={"user_id": "ann"}, top_k=0) == {"results": []}
    assert m.search("kiln", filters={"user_id": "ann"}, top_k=0) == {"results": []}
    assert len(m.search("kiln", filters={"user_id": "ann"}, top_k=7, threshold=0)["results"]) == 7


def test_an_id_is_found_by_another_process(memory: jiyi.Memory) -> None:
    """`get`, `update`, `history` and `delete` need the id alone, also where it was never seen."""
    (kept,) = Memory(memory).add("likes tea", user_id="ann", infer=False)["results"]
    other = Memory(memory)
    assert (other.get(kept["id"]) or {})["user_id"] == "ann"
    assert other.history(kept["id"])
    Memory(memory).update(kept["id"], text="likes coffee")
    Memory(memory).delete(kept["id"])


def test_a_tenant_stays_within_itself(memory: jiyi.Memory) -> None:
    """On a view of a tenant, ids and reset reach that tenant only."""
    acme, other = (Memory(memory.scoped(tenant=name)) for name in ("acme", None))
    (kept,) = acme.add("likes tea", user_id="ann", infer=False)["results"]
    other.add("likes milk", user_id="ann", infer=False)
    assert other.get(kept["id"]) is None
    other.reset()
    assert everything(acme, user_id="ann") == ["likes tea"]
    assert everything(other, user_id="ann") == []


def test_awaited(memory: jiyi.Memory) -> None:
    """The awaited class does the same."""

    async def main() -> None:
        async with AsyncMemory(memory) as m:
            (kept,) = (await m.add("I live in Leeds.", user_id="ann"))["results"]
            found = await m.search("Where do I live?", filters={"user_id": "ann"}, explain=True)
            assert found["results"][0]["id"] == kept["id"]
            assert found["results"][0]["score_details"]
            await m.delete_all(user_id="ann")
            assert await m.get(kept["id"]) is None

    anyio.run(main)


# --- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call",
    [
        lambda m: m.add("x"),
        lambda m: m.add("x", user_id="  "),
        lambda m: m.add("x", user_id="a b"),
        lambda m: m.add(7, user_id="a"),
        lambda m: m.add("x", user_id="a", memory_type="other"),
        lambda m: m.add("x", user_id="a", expiration_date="tomorrow"),
        lambda m: m.add("x", user_id="a", expiration_date=5),
        lambda m: m.search("x", user_id="a"),
        lambda m: m.search("x", filters={"k": 1}),
        lambda m: m.search("", filters={"user_id": "a"}),
        lambda m: m.search("x", filters={"user_id": "a"}, threshold=2),
        lambda m: m.search("x", filters={"user_id": "a"}, top_k=-1),
        lambda m: m.search("x", filters={"user_id": "a"}, limit=3),
        lambda m: m.search("x", filters={"user_id": "a", "k": {"near": 1}}),
        lambda m: m.search("x", filters={"user_id": "a", "OR": []}),
        lambda m: m.search("x", filters={"user_id": "a", "OR": [{"user_id": "b"}]}),
        lambda m: m.get_all(),
        lambda m: m.get_all(filters={"user_id": "a"}, top_k=True),
        lambda m: m.update("0190f3a1-7c1e-7000-8000-000000000000", text="x"),
        lambda m: m.update("0190f3a1-7c1e-7000-8000-000000000000"),
        lambda m: m.delete("not an id"),
        lambda m: m.delete_all(),
        lambda m: Memory(7),
    ],
)
def test_what_is_refused(m: Memory, call: Any) -> None:
    """Each is a ValueError, as with the real package, and one of ours."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        call(m)
    assert isinstance(caught.value, jiyi.JiyiError)


def test_unknown_ids(m: Memory) -> None:
    """What is not there is None, an empty history, or a MemoryNotFoundError."""
    assert m.get("nothing") is None
    assert m.history("0190f3a1-7c1e-7000-8000-000000000000") == []
    assert issubclass(MemoryNotFoundError, (ValueError, jiyi.NotFoundError))


def test_numbers_are_ids_too(m: Memory) -> None:
    """A database key is a user id, as with the real package."""
    m.add("likes tea", user_id=7, infer=False)  # type: ignore[arg-type]
    assert everything(m, user_id="7") == everything(m, user_id=7) == ["likes tea"]
