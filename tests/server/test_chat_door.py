"""The chat door, by the real `openai` client against a local model server."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import openai
import pytest
from served import Serve, Served, run_app
from upstream import Upstream

from jiyi.access.headers import name_in_header
from jiyi.errors import StoreUnavailableError
from jiyi.memory import Memory


@pytest.fixture
def model() -> Upstream:
    return Upstream()


@pytest.fixture
def chat(serve: Serve, model: Upstream) -> Iterator[Served]:
    """A server whose chats go to `model`."""
    with (
        run_app(model.app) as url,
        serve(upstream_url=f"{url}/v1", upstream_key="up-secret") as served,
    ):
        yield served


def client_of(served: Served, key: str = "any", **headers: str) -> openai.OpenAI:
    return openai.OpenAI(
        base_url=f"{served.url}/openai/v1",
        api_key=key,
        default_headers=headers,
        max_retries=0,
        timeout=120,
    )


def ask(served: Served, text: str, **options: Any) -> str:
    with client_of(served) as client:
        answer = client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": text}], **options
        )
    return answer.choices[0].message.content or ""


@pytest.mark.parametrize(
    ("said", "question", "word"),
    [
        ("我对花生过敏", "我不能吃什么？", "花生"),
        ("I am allergic to peanuts", "What must I not eat, what am I allergic to?", "peanuts"),
    ],
)
def test_an_app_that_only_knows_openai_remembers(
    chat: Served, model: Upstream, said: str, question: str, word: str
) -> None:
    """What was said in one chat reaches the model in the next; both sides of it are kept."""
    ask(chat, said, user="孙")
    assert word not in model.seen.replace(said, "")
    ask(chat, question, user="孙")
    system = model.requests[-1]["messages"][0]
    assert system["role"] == "system"
    assert word in system["content"]
    turns = [(turn.role, turn.text) for turn in chat.memory.turns(user="孙")]
    assert turns == [
        ("user", said),
        ("assistant", model.reply),
        ("user", question),
        ("assistant", model.reply),
    ]
    ask(chat, question, user="li")
    assert word not in model.seen


def test_streaming_passes_byte_for_byte(chat: Served, model: Upstream) -> None:
    """Chunks come as the model sent them, however they were cut; then the reply is kept."""
    with client_of(chat) as client:
        chunks = client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "你好"}], user="sun", stream=True
        )
        text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
    assert text == model.reply
    assert [turn.text for turn in chat.memory.turns(user="sun")] == ["你好", model.reply]


def test_a_stream_that_breaks_off_keeps_what_came(chat: Served, model: Upstream) -> None:
    """Half an answer was read by the user, and is kept as such."""
    model.breaks_off = True
    with client_of(chat) as client:
        chunks = client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "hello"}], user="sun", stream=True
        )
        with pytest.raises(openai.APIError, match="broke off"):
            list(chunks)
    said, answer = chat.memory.turns(user="sun")
    assert said.text == "hello"
    assert answer.text == model.reply[: len(model.reply) // 2]
    assert answer.meta["cut"] is True


def test_whole_conversations_are_recorded_once(chat: Served, model: Upstream) -> None:
    """Programs send everything each time, and again after an error: nothing is kept twice."""
    first = [{"role": "system", "content": "be brief"}, {"role": "user", "content": "早上好"}]
    with client_of(chat) as client:
        client.chat.completions.create(model="m", messages=first, user="sun")  # type: ignore[arg-type]
        client.chat.completions.create(model="m", messages=first, user="sun")  # type: ignore[arg-type]
        longer = [
            *first,
            {"role": "assistant", "content": model.reply},
            {"role": "user", "content": "and now?"},
        ]
        client.chat.completions.create(model="m", messages=longer, user="sun")  # type: ignore[arg-type]
    texts = [turn.text for turn in chat.memory.turns(user="sun")]
    assert texts == ["早上好", model.reply, "and now?", model.reply]
    assert model.requests[-1]["messages"][0]["content"].startswith("be brief")


def test_tools_and_unknown_fields_pass_unchanged(chat: Served, model: Upstream) -> None:
    """Tool definitions, calls, results, pictures and fields of tomorrow reach the model, and its
    own come back; the words of a tool are nobody's facts."""
    model.reply = ""
    call = {"id": "t1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    model.message = {"content": None, "tool_calls": [call], "x_reasoning": "…"}
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "查一下"}, picture]},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "t1", "content": "My name is Bob"},
    ]
    tools = [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]
    body = {
        "model": "m",
        "messages": messages,
        "tools": tools,
        "tool_choice": "auto",
        "x_new": {"a": [1]},
        "user": "sun",
    }
    with chat.client() as client:
        answer = client.post("/openai/v1/chat/completions", json=body)
    assert model.requests[-1] == body
    assert answer.json()["choices"][0]["message"]["tool_calls"] == [call]
    assert answer.json()["choices"][0]["message"]["x_reasoning"] == "…"
    assert answer.json()["x_unknown"] == {"kept": True}
    assert answer.headers["x-upstream"] == "yes"
    assert chat.memory.list(user="sun").total == 0


@pytest.mark.parametrize("step", ["context", "observe"])
def test_the_chat_goes_on_when_memory_fails(
    chat: Served, model: Upstream, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """The answer comes; a header, the numbers and the log say that memory failed."""

    def fail(*_: object, **__: object) -> None:
        raise StoreUnavailableError("the disk is full")

    monkeypatch.setattr(Memory, step, fail)
    with client_of(chat) as client:
        raw = client.chat.completions.with_raw_response.create(
            model="m", messages=[{"role": "user", "content": "你好"}], user="sun"
        )
    assert raw.parse().choices[0].message.content == model.reply
    assert raw.headers["x-jiyi-memory"] == "failed"
    with chat.client() as client:
        numbers = client.get("/metrics").text
    assert f'jiyi_chat_memory_failures_total{{step="{step}"}}' in numbers


def test_the_chat_goes_on_when_the_store_is_away(
    chat: Served, model: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys lie in the same store: whoever was let in lately can go on chatting without it."""
    made = chat.keyring.create("app", users=["sun"])
    messages: Any = [{"role": "user", "content": "你好"}]
    with client_of(chat, made.token) as client:
        client.chat.completions.create(model="m", messages=messages)

        def away() -> None:
            raise StoreUnavailableError("the disk is gone")

        monkeypatch.setattr(chat.memory.store, "read", away)
        monkeypatch.setattr(chat.memory.store, "write", away)
        raw = client.chat.completions.with_raw_response.create(model="m", messages=messages)
    assert raw.headers["x-jiyi-memory"] == "failed"
    assert raw.parse().choices[0].message.content == model.reply


def test_a_slow_memory_is_not_waited_for(
    serve: Serve, model: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A memory that does not answer in time is left behind."""
    release = threading.Event()
    with run_app(model.app) as url, serve(upstream_url=f"{url}/v1", memory_timeout_s=0.2) as served:
        monkeypatch.setattr(Memory, "context", lambda *_, **__: release.wait(20))
        with served.client() as client:
            body = {"messages": [{"role": "user", "content": "hi"}]}
            answer = client.post("/openai/v1/chat/completions", json=body)
        release.set()
    assert answer.status_code == 200
    assert answer.headers["x-jiyi-memory"] == "failed"


def test_errors_of_the_model_come_through(chat: Served, model: Upstream) -> None:
    """What the model's server answers is what the client sees; one that is away is a 502."""
    model.status = 429
    with client_of(chat) as client, pytest.raises(openai.RateLimitError, match="too busy"):
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": "x"}])


def test_no_model_and_no_server(serve: Serve) -> None:
    """Without an upstream the door says how to set one up; an unreachable one is a clear 502."""
    body = {"messages": [{"role": "user", "content": "x"}]}
    with serve() as served, served.client() as client:
        answer = client.post("/openai/v1/chat/completions", json=body)
        assert answer.status_code == 409
        assert "JIYI_SERVER_UPSTREAM_URL" in answer.json()["error"]["message"]
    with serve(upstream_url="http://127.0.0.1:9/v1") as served, served.client() as client:
        answer = client.post("/openai/v1/chat/completions", json=body)
        assert answer.status_code == 502
        assert answer.json()["error"]["code"] == "upstream"
        for wrong in ({}, {"messages": "x"}, {"messages": [1]}, []):
            assert client.post("/openai/v1/chat/completions", json=wrong).status_code == 422


def test_keys_decide_whose_memory_it_is(chat: Served, model: Upstream) -> None:
    """A key for one user needs no name; it works for nobody else; our keys never reach the model,
    its own does."""
    made = chat.keyring.create("app", users=["孙"])
    chat.memory.remember("对花生过敏", user="孙")
    with client_of(chat, made.token) as client:
        client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "我对什么过敏？"}]
        )
        assert "花生" in model.seen
        with pytest.raises(openai.PermissionDeniedError):
            client.chat.completions.create(
                model="m", messages=[{"role": "user", "content": "x"}], user="li"
            )
        assert client.models.list().data[0].id == "m"
    with client_of(chat, "jiyi_wrong") as client, pytest.raises(openai.AuthenticationError):
        client.models.list()
    assert {headers["authorization"] for headers in model.headers} == {"Bearer up-secret"}
    assert made.token not in json.dumps(model.headers)


def test_reading_keys_and_sessions(chat: Served, model: Upstream) -> None:
    """A key that may only read adds context and records nothing; the session of the header is
    that of the turns."""
    reader = chat.keyring.create("reader", rights=["read"])
    both = chat.keyring.create("both")
    chat.memory.remember("住在杭州", user="sun")
    headers = {"X-Jiyi-User": "sun", "X-Jiyi-Session": "S 1"}
    with client_of(chat, reader.token, **headers) as client:
        client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "我住在哪里？"}]
        )
    assert "杭州" in model.seen
    assert chat.memory.turns(user="sun") == ()
    with client_of(chat, both.token, **headers) as client:
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": "hello"}])
    assert [turn.scope.session for turn in chat.memory.turns(user="sun")] == ["S 1", "S 1"]
    forgetter = chat.keyring.create("forgetter", rights=["forget"])
    with client_of(chat, forgetter.token) as client:
        with pytest.raises(openai.PermissionDeniedError):
            client.chat.completions.create(model="m", messages=[{"role": "user", "content": "x"}])
        with pytest.raises(openai.PermissionDeniedError):
            client.models.list()


@pytest.mark.parametrize(
    ("sent", "user"),
    [
        (b"%E8%80%81%E7%8E%8B", "老王"),
        ("老王".encode(), "老王"),
        ("José".encode(), "José"),
        ("José".encode("latin-1"), "José"),
        ("Josè".encode("latin-1"), "Josè"),
        (b"50%20", "50%20"),
        (b"100%", "100%"),
        (b"%E8%80", "%E8%80"),
    ],
)
def test_names_in_headers(sent: bytes, user: str) -> None:
    """A name beyond ASCII is the same user however a client encodes it, and two users are never
    read as one."""
    assert name_in_header(sent) == user


@pytest.mark.parametrize(("user", "said"), [("老王", "我对虾过敏"), ("Zoë", "I can't eat prawns")])
def test_a_client_that_sends_ascii_names_any_user(chat: Served, user: str, said: str) -> None:
    """The real client refuses headers beyond ASCII, and names the user percent-encoded."""
    with client_of(chat, **{"X-Jiyi-User": quote(user)}) as client:
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": said}])
    assert [turn.text for turn in chat.memory.turns(user=user)][:1] == [said]


@pytest.mark.parametrize("said", ["我的密码提示是蓝色", "My password hint is blue"])
def test_users_that_are_no_text_are_not_thrown_together(chat: Served, said: str) -> None:
    """Many programs number their users: each number is one. What names nobody is refused, and
    nothing is kept in the space of those without a name."""
    for number in (0, 7):
        ask(chat, f"{said} {number}", extra_body={"user": number})
        assert chat.memory.turns(user=str(number))[0].text == f"{said} {number}"
    for wrong in (True, 7.5, ["sun"], {"id": 7}):
        with pytest.raises(openai.UnprocessableEntityError, match="user: it is no name"):
            ask(chat, said, extra_body={"user": wrong})
    assert chat.memory.turns() == ()


@pytest.mark.parametrize("text", ["我对芒果过敏\x00谢谢", "I am allergic to mango\x00 thanks"])
def test_a_message_with_signs_that_no_store_takes_is_kept(chat: Served, text: str) -> None:
    """A control character loses nothing of what was said, nor of the answer."""
    with client_of(chat) as client:
        answer = client.chat.completions.with_raw_response.create(
            model="m", messages=[{"role": "user", "content": text}], user="sun"
        )
    assert answer.headers["X-Jiyi-Memory"] == "ok"
    assert chat.memory.turns(user="sun")[0].text == text.replace("\x00", "\ufffd")


@pytest.mark.parametrize("said", ["我住在绵阳，对花粉过敏", "I live in Hull and hate cilantro"])
def test_what_is_said_now_is_not_handed_back(chat: Served, model: Upstream, said: str) -> None:
    """The model reads a message once: as what the user says, not also as what is remembered."""
    ask(chat, said, user="sun")
    assert len(model.requests) == 1
    assert json.dumps(model.requests[0], ensure_ascii=False).count(said) == 1


@pytest.mark.parametrize("word", ["长文", "long"])
def test_a_long_message_does_not_cost_the_memory(chat: Served, model: Upstream, word: str) -> None:
    """Of a page that is pasted, only what is asked of it is searched for; all of it is kept."""
    text = f"{word} " * 60_000 + "\nWhat do I live on? 我住哪里？"
    ask(chat, text, user="sun")
    assert chat.memory.turns(user="sun")[0].text == text
    assert len(chat.memory.explain(user="sun").query) < 5_000
