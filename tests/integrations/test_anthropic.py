"""Claude's memory tool: a tree of files over what is remembered, as the stock tool speaks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

pytest.importorskip("anthropic", reason="needs jiyi[anthropic]")

import httpx2
from anthropic import Anthropic
from anthropic.lib.tools import ToolError
from anthropic.lib.tools._beta_builtin_memory_tool import BetaLocalFilesystemMemoryTool

from jiyi import Memory
from jiyi.integrations.anthropic import JiyiAsyncMemoryTool, JiyiMemoryTool
from jiyi.testing import FakeClock


class Claude:
    """Calls a tool as the SDK does: with what the model wrote."""

    def __init__(self, tool: Any) -> None:
        self.tool = tool

    def __call__(self, command: str, path: str | None = None, **arguments: Any) -> str:
        given = {"command": command, **({"path": path} if path else {}), **arguments}
        result = self.tool.call(given)
        assert isinstance(result, str)
        return result

    def fails(self, command: str, path: str | None = None, **arguments: Any) -> str:
        with pytest.raises(ToolError) as error:
            self(command, path, **arguments)
        return str(error.value)

    def text(self, path: str) -> str:
        """A file without its line numbers."""
        lines = self("view", path).split("\n")[1:]
        return "\n".join(line.split("\t", 1)[1] for line in lines)

    def names(self, path: str = "/memories") -> list[str]:
        lines = self("view", path).split("\n")[1:]
        return [line.split("\t", 1)[1] for line in lines if "\t" in line]


@pytest.fixture
def claude(memory: Memory) -> Claude:
    return Claude(JiyiMemoryTool(memory.scoped(user="sun")))


@pytest.fixture
def stock(tmp_path: Path) -> Claude:
    return Claude(BetaLocalFilesystemMemoryTool(str(tmp_path / "stock")))


# --- what the stock tool does, word for word ------------------------------------------------------

STEPS: list[tuple[str, dict[str, Any]]] = [
    ("create", {"path": "/memories/notes.md", "file_text": "one\ntwo\n第三行\ntwo and a half"}),
    ("create", {"path": "/memories/notes.md", "file_text": "again"}),
    ("view", {"path": "/memories/notes.md"}),
    ("view", {"path": "/memories/notes.md", "view_range": [2, 3]}),
    ("view", {"path": "/memories/notes.md", "view_range": [3, -1]}),
    ("view", {"path": "/memories/notes.md", "view_range": [9, 12]}),
    ("str_replace", {"path": "/memories/notes.md", "old_str": "第三行", "new_str": "line 3"}),
    ("str_replace", {"path": "/memories/notes.md", "old_str": "two", "new_str": "2"}),
    ("str_replace", {"path": "/memories/notes.md", "old_str": "none", "new_str": "2"}),
    ("str_replace", {"path": "/memories/none.md", "old_str": "a", "new_str": "b"}),
    ("insert", {"path": "/memories/notes.md", "insert_line": 0, "insert_text": "first\n"}),
    ("insert", {"path": "/memories/notes.md", "insert_line": 2, "insert_text": "中间\nmore"}),
    ("insert", {"path": "/memories/notes.md", "insert_line": 99, "insert_text": "x"}),
    ("insert", {"path": "/memories/none.md", "insert_line": 0, "insert_text": "x"}),
    ("view", {"path": "/memories/notes.md"}),
    ("create", {"path": "/memories/a/b/deep.txt", "file_text": ""}),
    ("view", {"path": "/memories/a/b/deep.txt"}),
    ("str_replace", {"path": "/memories/a", "old_str": "a", "new_str": "b"}),
    ("insert", {"path": "/memories/a", "insert_line": 0, "insert_text": "b"}),
    ("rename", {"old_path": "/memories/notes.md", "new_path": "/memories/a/moved.md"}),
    ("rename", {"old_path": "/memories/none.md", "new_path": "/memories/other.md"}),
    ("create", {"path": "/memories/other.md", "file_text": "x"}),
    ("rename", {"old_path": "/memories/other.md", "new_path": "/memories/a/moved.md"}),
    ("rename", {"old_path": "/memories/a", "new_path": "/memories/甲"}),
    ("view", {"path": "/memories/甲/moved.md"}),
    ("view", {"path": "/memories/a"}),
    ("delete", {"path": "/memories/甲"}),
    ("delete", {"path": "/memories/甲"}),
    ("delete", {"path": "/memories"}),
    ("rename", {"old_path": "/memories", "new_path": "/memories/x"}),
    ("view", {"path": "/etc/passwd"}),
    ("create", {"path": "/memories/../escape.md", "file_text": "x"}),
]


def test_it_speaks_as_the_stock_tool(claude: Claude, stock: Claude) -> None:
    """The same commands have the same answers and errors, except that the line "does not exist" of
    `delete` and `rename` is ours for every command."""

    def told(tool: Claude, command: str, arguments: dict[str, Any]) -> str:
        try:
            return tool(command, **arguments)
        except ToolError as error:
            return f"error: {error}".replace(". Please provide a valid path.", "")

    for command, arguments in STEPS:
        mine, theirs = (told(tool, command, arguments) for tool in (claude, stock))
        assert mine == theirs, (command, arguments)


def test_it_is_the_same_kind_of_tool(memory: Memory) -> None:
    """The definition that goes to Claude is that of the stock tool."""
    tool = JiyiMemoryTool(memory, cache_control={"type": "ephemeral"})
    assert tool.to_dict() == {
        "type": "memory_20250818",
        "name": "memory",
        "cache_control": {"type": "ephemeral"},
    }


def test_a_folder_shows_two_levels(claude: Claude) -> None:
    """Folders with a slash, hidden and deeper files left out; sizes in bytes of UTF-8."""
    for path in ("a/b/c/d.txt", "a/b/x.txt", "a/y.txt", ".hidden", "z.txt"):
        claude("create", f"/memories/{path}", file_text="西安")
    shown = claude("view", "/memories").split("\n")
    assert shown[0].endswith("2 levels deep in /memories, excluding hidden items:")
    assert "6B\t/memories/z.txt" in shown
    assert claude.names() == [
        "/memories",
        *("/memories/a/", "/memories/a/b/", "/memories/a/y.txt", "/memories/episodes/"),
        *("/memories/facts/", "/memories/procedures/", "/memories/profile.md", "/memories/z.txt"),
    ]
    assert claude.names("/memories/a") == [
        *("/memories/a", "/memories/a/b/", "/memories/a/b/c/", "/memories/a/b/x.txt"),
        "/memories/a/y.txt",
    ]


# --- what is remembered ---------------------------------------------------------------------------


def test_what_is_remembered_is_there(memory: Memory, claude: Claude, clock: FakeClock) -> None:
    """Facts, events and procedures learned anywhere have a file; the profile is made of them."""
    sun = memory.scoped(user="sun")
    sun.set_permanent(role="technician")
    sun.observe("我住在成都。")
    sun.remember("油菜在五月二十日收获", kind="episodic")
    sun.remember("Release: tag, build, upload", kind="procedural")
    profile = claude.text("/memories/profile.md")
    assert "- role: technician" in profile
    assert "成都" in profile
    (fact,) = [name for name in claude.names("/memories/facts") if name.endswith(".md")]
    assert "成都" in claude.text(fact)
    assert any("油菜" in name for name in claude.names("/memories/episodes"))
    assert any("Release" in name for name in claude.names("/memories"))
    clock.advance(days=1)
    sun.observe("我现在住在西安。")
    assert "西安" in claude.text("/memories/profile.md")
    assert "成都" not in claude.text("/memories/profile.md")
    assert "does not exist" in claude.fails("view", fact)


@pytest.mark.parametrize(
    ("folder", "kind"),
    [("facts", "semantic"), ("episodes", "episodic"), ("procedures", "procedural")],
)
def test_a_file_there_is_a_memory(
    memory: Memory, claude: Claude, files: Callable[[], bytes], folder: str, kind: str
) -> None:
    """Made, changed, moved and deleted by Claude, it is recalled, updated and forgotten."""
    path = f"/memories/{folder}/锁.md"
    claude("create", path, file_text="The locker code is Zq-771\n")
    (record,) = memory.list(user="sun").items
    assert (record.kind, record.trust) == (kind, "assistant")
    assert claude.text(path) == "The locker code is Zq-771\n"
    assert path in claude.names(f"/memories/{folder}")
    claude("str_replace", path, old_str="Zq-771", new_str="Zq-882")
    claude("insert", path, insert_line=1, insert_text="and the key hangs in the hall")
    assert "Zq-882" in memory.recall("locker code", user="sun")[0].text
    other = "facts" if folder != "facts" else "episodes"
    claude("rename", old_path=path, new_path=f"/memories/{other}/lock.md")
    assert claude.text(f"/memories/{other}/lock.md").startswith("The locker code is Zq-882")
    assert memory.list(user="sun").total == 1
    claude("delete", f"/memories/{other}/lock.md")
    assert memory.recall("locker code", user="sun").items == ()
    assert b"Zq-882" not in files()
    assert b"Zq-771" not in files()


def test_an_edited_file_keeps_its_name(memory: Memory, claude: Claude) -> None:
    """Also where the name came from the words that were changed."""
    memory.remember("She drinks green tea", user="sun")
    (name,) = [name for name in claude.names("/memories/facts") if name.endswith(".md")]
    claude("str_replace", name, old_str="green", new_str="black")
    assert claude.text(name) == "She drinks black tea"
    assert name in claude.names("/memories/facts")


def test_what_the_user_said_is_the_users_word(memory: Memory, claude: Claude) -> None:
    """A fact that Claude writes down from the last turns cites them."""
    memory.observe("For later: the boiler's serial is KX-20.", user="sun", session="A")
    claude("create", "/memories/facts/boiler.md", file_text="the boiler's serial is KX-20")
    (record,) = memory.list(user="sun").items
    assert record.trust == "user"
    assert [source.turn_id for source in record.sources if source.turn_id]
    assert claude.names("/memories/facts")[1:] == ["/memories/facts/boiler.md"]


def test_moving_between_notes_and_memories(memory: Memory, claude: Claude) -> None:
    """A note becomes a fact, and a fact a note; the conversation it came from stays."""
    claude("create", "/memories/draft.md", file_text="The pump needs oil in May")
    claude("rename", old_path="/memories/draft.md", new_path="/memories/facts/pump.md")
    assert memory.recall("pump oil", user="sun")[0].unit == "memory"
    memory.observe("我住在成都。", user="sun")
    (fact,) = [name for name in claude.names("/memories/facts") if "成都" in name]
    claude("rename", old_path=fact, new_path="/memories/家/城市.md")
    assert "成都" in claude.text("/memories/家/城市.md")
    assert "成都" not in claude.text("/memories/profile.md")
    assert len(memory.turns(user="sun")) == 1


def test_the_same_twice_is_one(claude: Claude) -> None:
    """Claude is told where it already stands."""
    claude("create", "/memories/facts/tea.md", file_text="She drinks green tea")
    told = claude.fails("create", "/memories/facts/again.md", file_text="she drinks green tea.")
    assert "/memories/facts/tea.md" in told


def test_many_memories_are_listed_by_the_newest(memory: Memory, claude: Claude) -> None:
    """A hundred of them, and how many more there are; an older one is there by its name."""
    memory.remember_all([f"fact number {n} 号" for n in range(110)], user="sun")
    shown = claude("view", "/memories/facts")
    assert len(claude.names("/memories/facts")) == 101
    assert "(10 older files of /memories/facts are not listed)" in shown
    oldest = memory.list(user="sun", where={"text": {"contains": "number 0 "}}).items[0]
    assert claude.text(f"/memories/facts/fact-number-0-号-{oldest.id[-8:]}.md") == oldest.text


@pytest.mark.parametrize(
    ("command", "arguments", "says"),
    [
        ("create", {"path": "/memories/profile.md", "file_text": "x"}, "already exists"),
        ("create", {"path": "/memories/facts", "file_text": "x"}, "already exists"),
        ("create", {"path": "/memories/facts/a/b.md", "file_text": "x"}, "no folders"),
        ("create", {"path": "/memories/profile.md/x", "file_text": "x"}, "is a file"),
        ("create", {"path": "/memories/kept.md/x", "file_text": "x"}, "is a file"),
        ("create", {"path": "/memories/facts/empty.md", "file_text": " \n"}, "empty"),
        ("create", {"path": "/memories/x.md"}, "file_text"),
        ("create", {"path": "/memories/x.md", "file_text": "x" * 1_100_000}, "limit"),
        ("str_replace", {"path": "/memories/profile.md", "old_str": "a", "new_str": "b"}, "facts"),
        ("str_replace", {"path": "/memories/kept.md", "old_str": "", "new_str": "b"}, "verbatim"),
        ("str_replace", {"path": "/memories/kept.md", "old_str": "k"}, "new_str"),
        ("delete", {"path": "/memories/profile.md"}, "cannot be edited"),
        ("delete", {"path": "/memories/facts"}, "Cannot delete"),
        ("rename", {"old_path": "/memories/facts", "new_path": "/memories/f"}, "Cannot rename"),
        ("rename", {"old_path": "/memories/d", "new_path": "/memories/d/e"}, "itself"),
        ("rename", {"old_path": "/memories/d", "new_path": "/memories/facts/d"}, "no folders"),
        ("view", {"path": "/memories/kept.md", "view_range": [1]}, "view_range"),
        ("view", {}, "Path must start"),
        ("view", {"path": "/memoriesX/a"}, "Path must start"),
        ("view", {"path": "/memories/../etc"}, "escape"),
        ("view", {"path": "/memories/a/../../etc"}, "escape"),
        ("view", {"path": "/memories/%2e%2e/etc"}, "escape"),
        ("view", {"path": "/memories/..%2fetc"}, "escape"),
        ("view", {"path": "/memories/a//etc"}, "escape"),
        ("view", {"path": "/memories/a\\..\\b"}, "odd characters"),
        ("view", {"path": "/memories/a\0b"}, "odd characters"),
    ],
)
def test_what_is_refused(
    memory: Memory, claude: Claude, command: str, arguments: dict[str, Any], says: str
) -> None:
    """A ToolError in words that Claude can act on; nothing is changed."""
    claude("create", "/memories/kept.md", file_text="kept")
    claude("create", "/memories/d/e.md", file_text="inside")
    assert says in claude.fails(command, **arguments)
    assert claude.text("/memories/kept.md") == "kept"
    assert claude.text("/memories/d/e.md") == "inside"
    assert memory.list(user="sun").total == 0


def test_users_are_apart(memory: Memory, claude: Claude) -> None:
    """Another user's tree has nothing of it, whatever is asked by name."""
    claude("create", "/memories/notes.md", file_text="mine")
    claude("create", "/memories/facts/tea.md", file_text="She drinks green tea")
    other = Claude(JiyiMemoryTool(memory.scoped(user="li")))
    for path in ("/memories/notes.md", "/memories/facts/tea.md"):
        assert "does not exist" in other.fails("view", path)
        assert "does not exist" in other.fails("delete", path)
    assert claude.text("/memories/notes.md") == "mine"


def test_deleted_notes_leave_every_byte(claude: Claude, files: Callable[[], bytes]) -> None:
    """A deleted file or folder is gone from the store."""
    claude("create", "/memories/n/one.md", file_text="code Zq-3")
    claude("create", "/memories/two.md", file_text="code Zq-4")
    claude("delete", "/memories/n")
    claude("delete", "/memories/two.md")
    assert b"Zq-3" not in files()
    assert b"Zq-4" not in files()


def test_clearing_takes_one_user(memory: Memory, claude: Claude) -> None:
    """All of the named user and nobody else; without a named user it is refused."""
    other = Claude(JiyiMemoryTool(memory.scoped(user="li")))
    for each in (claude, other):
        each("create", "/memories/notes.md", file_text="mine")
        each("create", "/memories/facts/tea.md", file_text="She drinks green tea")
    assert claude.tool.clear_all_memory() == "All memory cleared"
    assert claude.names()[1:] == [
        *("/memories/episodes/", "/memories/facts/", "/memories/procedures/"),
        "/memories/profile.md",
    ]
    assert other.text("/memories/notes.md") == "mine"
    with pytest.raises(ToolError, match="everything"):
        JiyiMemoryTool(memory).clear_all_memory()


def test_it_can_be_awaited(memory: Memory) -> None:
    """The tool for the asynchronous client does the same."""
    tool = JiyiAsyncMemoryTool(memory.scoped(user="sun"))

    async def main() -> None:
        steps: list[dict[str, Any]] = [
            {"command": "create", "path": "/memories/a.md", "file_text": "一\n二"},
            {"command": "str_replace", "path": "/memories/a.md", "old_str": "二", "new_str": "2"},
            {"command": "insert", "path": "/memories/a.md", "insert_line": 2, "insert_text": "3"},
            {"command": "rename", "old_path": "/memories/a.md", "new_path": "/memories/b.md"},
        ]
        for step in steps:
            await tool.call(step)
        shown = await tool.call({"command": "view", "path": "/memories/b.md"})
        assert isinstance(shown, str)
        assert shown.endswith("     1\t一\n     2\t2\n     3\t3\n     4\t")
        await tool.call({"command": "delete", "path": "/memories/b.md"})
        with pytest.raises(ToolError, match="does not exist"):
            await tool.call({"command": "view", "path": "/memories/b.md"})
        await tool.clear_all_memory()

    anyio.run(main)


def test_the_sdks_runner_drives_it(memory: Memory) -> None:
    """The real client, on a scripted API: Claude's call is carried out, its mistake told back."""
    asked: list[Any] = []
    calls = iter(
        [
            {"command": "create", "path": "/memories/facts/tea.md", "file_text": "她喜欢绿茶"},
            {"command": "view", "path": "/memories/none.md"},
            None,
        ]
    )

    def reply(request: httpx2.Request) -> httpx2.Response:
        asked.append(json.loads(request.content))
        call = next(calls)
        block: Any = {"type": "text", "text": "done"}
        if call is not None:
            block = {"type": "tool_use", "id": f"t{len(asked)}", "name": "memory", "input": call}
        message = {
            "id": "m",
            "type": "message",
            "role": "assistant",
            "model": "claude",
            "content": [block],
            "stop_sequence": None,
            "stop_reason": "end_turn" if call is None else "tool_use",
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        return httpx2.Response(200, json=message)

    transport = httpx2.MockTransport(reply)
    with Anthropic(api_key="none", http_client=httpx2.Client(transport=transport)) as client:
        runner = client.beta.messages.tool_runner(
            model="claude",
            max_tokens=100,
            messages=[{"role": "user", "content": "remember that she likes green tea"}],
            tools=[JiyiMemoryTool(memory.scoped(user="sun"))],
        )
        last = runner.until_done()
    assert last.content[0].type == "text"
    results = [request["messages"][-1]["content"][0] for request in asked[1:]]
    assert results[0]["content"].startswith("File created successfully")
    assert results[1]["is_error"] is True
    assert memory.recall("绿茶", user="sun")[0].text == "她喜欢绿茶"


def test_a_day_later(memory: Memory, claude: Claude, clock: FakeClock) -> None:
    """Notes and facts of Claude come up by themselves in what other agents are told."""
    claude("create", "/memories/facts/tea.md", file_text="She drinks green tea")
    clock.advance(days=1)
    assert "green tea" in memory.context("what does she drink?", user="sun").text
