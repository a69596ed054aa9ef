"""Who gets in, what forms need, and that text stays text."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser
from urllib.parse import quote

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient
from story import tell

from jiyi import Memory
from jiyi.access import Keyring
from jiyi.errors import StoreUnavailableError
from jiyi.inspector import inspector_app, language
from jiyi.inspector.routes import GETS, POSTS
from jiyi.testing import FakeClock

TOKEN = re.compile(r'name="form_token" value="(\w+)"')


def visitor(memory: Memory, host: str = "127.0.0.1", *, opened: bool = True) -> TestClient:
    app = inspector_app(memory, Keyring(memory, open_without_keys=opened))
    return TestClient(app, base_url=f"http://{host}", follow_redirects=False)


def token_of(client: TestClient, path: str = "/login") -> str:
    found = TOKEN.search(client.get(path).text)
    assert found is not None
    return found[1]


def log_in(client: TestClient, key: str, back: str = "/") -> object:
    form = {"key": key, "back": back, "form_token": token_of(client)}
    return client.post("/login", data=form)


@pytest.fixture
def told(memory: Memory, clock: FakeClock) -> Memory:
    tell(memory, clock)
    return memory


def every_page(memory: Memory, user: str) -> list[str]:
    """The address of every page, with ids of what this user has."""
    view = memory.scoped(user=user)
    with view.store.read() as reader:
        trace = next(iter(reader.traces(view.scope, limit=1, whoever=True)), None)
    ids = {
        "/memories/{id}": view.list(limit=1).items[0].id,
        "/turns/{id}": view.turns(limit=1)[0].id,
        "/traces/{id}": trace.id if trace else "01a22e31-5273-7000-ae1f-250669f1fab3",
    }
    paths = [path.replace("{id}", ids.get(path, "")) for path in GETS]
    return [*paths, "/search?q=花生", "/forget?query=花生", "/consolidation?plan=1"]


def at(path: str, **query: str) -> str:
    tail = "&".join(f"{name}={quote(value)}" for name, value in query.items())
    return f"{path}{'&' if '?' in path else '?'}{tail}"


def test_every_page_in_both_languages(told: Memory) -> None:
    """Each page answers, says its language, loads nothing from elsewhere and allows no inline
    script or style; in Chinese its heading is Chinese."""
    client = visitor(told)
    for path in every_page(told, "何苗"):
        for spoken in ("zh-CN", "en"):
            answer = client.get(at(path, user="何苗"), headers={"Accept-Language": spoken})
            assert answer.status_code == 200, path
            assert f'<html lang="{spoken}"' in answer.text
            assert not re.search(r'(?:src|href)="(?:https?:)?//', answer.text), path
            assert " style=" not in answer.text
            assert "<script>" not in answer.text
            policy = answer.headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert answer.headers["cache-control"] == "no-store"


def test_nothing_english_is_left(told: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the pages of this story everything that is said in Chinese has a translation: statuses,
    kinds, ways of searching, layers, reasons and what the audit log names as well."""
    view = told.scoped(user="何苗")
    view.consolidate()
    missing: set[str] = set()

    class Watched(dict[str, str]):
        def get(self, key: str, default: str | None = None) -> str | None:  # type: ignore[override]
            if key not in self:
                missing.add(key)
            return super().get(key, default)

    words = Watched(language.chinese())
    monkeypatch.setattr(language, "chinese", lambda: words)
    client = visitor(told)
    paths = [f"/memories/{r.id}" for r in view.list(limit=100, include=("superseded",)).items]
    with view.store.read() as reader:
        traces = reader.traces(view.scope, limit=5, whoever=True)
    paths += [*every_page(told, "何苗"), *(f"/traces/{trace.id}" for trace in traces)]
    for path in paths:
        answer = client.get(at(path, user="何苗"), headers={"Accept-Language": "zh"})
        assert answer.status_code == 200, path
    assert missing == set()


def test_mounted_below(told: Memory) -> None:
    """Inside another application, at a path of its own: links, cookies and the way to the login
    stay below it."""
    keyring = Keyring(told, open_without_keys=True)
    app = Starlette(routes=[Mount("/memory", inspector_app(told, keyring, root="/memory"))])
    client = TestClient(app, base_url="http://localhost", follow_redirects=False)
    page = client.get("/memory/?user=何苗")
    assert page.status_code == 200
    assert re.findall(r'(?:href|action)="(?!/memory/|#main)[^"]*"', page.text) == []
    assert "Path=/memory" in page.headers["set-cookie"]
    keyring.create("any")
    away = client.get("/memory/profile").headers["location"]
    assert away == "/memory/login?back=%2Fmemory%2Fprofile"


def test_an_unknown_page(told: Memory) -> None:
    """An address that leads nowhere, an id that is none, and one of somebody else: each a page
    that says so."""
    client = visitor(told)
    assert client.get("/nowhere").status_code == 404
    assert client.get(at("/memories/nonsense", user="何苗")).status_code == 422
    id = told.scoped(user="何苗").list(limit=1).items[0].id
    assert client.get(f"/memories/{id}?user=maya").status_code == 404
    assert client.get("/static/../app.py").status_code == 404


def test_without_keys_only_this_machine_is_let_in(told: Memory) -> None:
    """No key, no login on loopback; under another name (DNS rebinding) the login page is shown,
    and where the door is not open it always is."""
    assert visitor(told).get("/users").status_code == 200
    for client in (visitor(told, "evil.example"), visitor(told, opened=False)):
        answer = client.get("/users")
        assert answer.status_code == 303
        assert answer.headers["location"] == "/login?back=%2Fusers"


def test_logging_in_and_out(told: Memory) -> None:
    """A wrong key is refused; a good one is kept in a cookie that no script and no other site
    gets; logging out takes it away, and a revoked one is out at once."""
    ring = Keyring(told)
    made = ring.create("何苗", users=["何苗"])
    client = visitor(told)
    assert client.get("/").headers["location"].startswith("/login")
    wrong = log_in(client, "jiyi_wrong")
    assert wrong.status_code == 403  # type: ignore[attr-defined]
    good = log_in(client, made.token, back="/profile")
    assert good.headers["location"] == "/profile"  # type: ignore[attr-defined]
    cookie = good.headers["set-cookie"]  # type: ignore[attr-defined]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    page = client.get("/profile")
    assert page.status_code == 200
    assert "何苗" in page.text
    client.post("/logout", data={"form_token": token_of(client)})
    assert client.get("/profile").status_code == 303
    log_in(client, made.token)
    ring.revoke(made.key.id)
    assert client.get("/profile").status_code == 303


@pytest.mark.parametrize(("language", "word"), [("zh", "表单"), ("en", "This form")])
def test_a_form_that_does_not_fit_is_not_called_a_bad_key(
    told: Memory, language: str, word: str
) -> None:
    """Who has a good key and no cookies, or an old page, is told that, not to find another key."""
    made = Keyring(told).create("any")
    client = visitor(told)
    old = {"key": made.token, "back": "/", "form_token": "old"}
    page = client.post("/login", data=old, headers={"Accept-Language": language})
    assert page.status_code == 403
    assert word in page.text
    assert ("密钥不存在" if language == "zh" else "This key is unknown") not in page.text


@pytest.mark.parametrize(
    ("language", "word"), [("zh", "暂时无法访问"), ("en", "cannot be reached")]
)
def test_a_store_that_is_away_is_a_page_too(
    told: Memory, monkeypatch: pytest.MonkeyPatch, language: str, word: str
) -> None:
    """While the store is away nobody can be let in: every page and the login say so, with 503."""
    client = visitor(told)
    client.cookies.set("jiyi_key", Keyring(told).create("any").token)
    form = {"key": "jiyi_any", "back": "/", "form_token": token_of(client)}

    def away(*_: object, **__: object) -> None:
        raise StoreUnavailableError("the disk is gone")

    monkeypatch.setattr(type(told.store), "read", away)
    headers = {"Accept-Language": language}
    for page in (
        client.get("/memories", headers=headers),
        client.post("/login", data=form, headers=headers),
    ):
        assert page.status_code == 503
        assert word in page.text


@pytest.mark.parametrize(
    "back", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"]
)
def test_login_leads_nowhere_else(told: Memory, back: str) -> None:
    """What stands in `back` never leads to another site."""
    made = Keyring(told).create("any")
    client = visitor(told)
    answer = log_in(client, made.token, back=back)
    assert answer.headers["location"] == "/"  # type: ignore[attr-defined]
    assert client.get("/preferences", params={"back": back}).headers["location"] == "/"


def test_forms_of_other_sites_are_refused(told: Memory) -> None:
    """Every form needs what only our pages know, and must come from our pages; what is refused
    changes nothing."""
    client = visitor(told)
    token = token_of(client)
    total = told.scoped(user="何苗").list().total
    for path in POSTS:
        address = at(path.replace("{id}", "01a22e31-5273-7000-ae1f-250669f1fab3"), user="何苗")
        assert client.post(address, data={}).status_code == 403, path
        assert client.post(address, data={"form_token": "0" * 32}).status_code == 403, path
        cross = {"Sec-Fetch-Site": "cross-site"}
        refused = client.post(address, data={"form_token": token}, headers=cross)
        assert refused.status_code == 403, path
    assert told.scoped(user="何苗").list().total == total
    stolen = visitor(told)  # another browser has another token
    stolen.get("/login")
    form = {"form_token": token, "text": "hello there"}
    assert stolen.post(at("/memories", user="何苗"), data=form).status_code == 403


def test_a_key_reaches_its_own_only(told: Memory, clock: FakeClock) -> None:
    """With a key of another user or tenant no page shows anything of this one, and no form does
    anything to it, whatever the address says."""
    keys = Keyring(told)
    told.remember("Maya bakes", user="maya")
    told.remember("Maya bakes", tenant="acme", user="maya")
    theirs = every_page(told, "何苗")
    secret = [*(r.text for r in told.scoped(user="何苗").list(limit=100).items), "T-0412"]
    outsiders = [
        keys.create("maya", users=["maya"], rights=["read", "write", "forget", "admin"]),
        keys.create("acme", tenant="acme", rights=["read", "write", "forget", "admin"]),
    ]
    for made in outsiders:
        client = visitor(told)
        log_in(client, made.token)
        for path in theirs:
            for query in ({"user": "何苗"}, {}, {"user": "何苗", "tenant": ""}):
                page = client.get(at(path, **query) if query else path)
                asked = page.text.replace("花生", "")  # the question is shown as it was asked
                assert not [text for text in secret if text in asked], path
        token = token_of(client, at("/users", user="maya"))
        for path in POSTS:
            id = told.scoped(user="何苗").list(limit=1).items[0].id
            form = {
                "form_token": token,
                "everything": "1",
                "id": id,
                "ids": id,
                "keep": id,
                "other": id,
                "text": "nothing",
                "name": "role",
                "value": "thief",
                "attribute": "name",
                "run": id,
            }
            answer = client.post(at(path.replace("{id}", id), user="何苗"), data=form)
            # The tenant's key may work for a user of that name: its own one, in its own tenant.
            assert made.key.users is None or answer.status_code in (403, 404), path
    assert told.scoped(user="何苗").profile().permanent["role"] == "技术员"
    assert len(told.scoped(user="何苗").list(limit=100).items) == len(secret) - 1


def test_rights(told: Memory) -> None:
    """A key for reading sees no button that it could not use, and the form behind it refuses; one
    for several users is asked to choose; users that it does not reach are not listed."""
    told.remember("Maya bakes", user="maya")
    told.remember("Bob paints", user="bob")
    made = Keyring(told).create("reader", users=["maya", "bob"], rights=["read"])
    client = visitor(told)
    log_in(client, made.token)
    assert client.get("/").status_code == 403
    listed = client.get("/users").text
    assert "maya" in listed
    assert "何苗" not in listed
    page = client.get("/memories/" + told.scoped(user="maya").list().items[0].id + "?user=maya")
    assert page.status_code == 200
    assert 'method="post" action="/memories' not in page.text
    assert "/forget?" not in page.text.split("<main")[1]
    token = token_of(client, "/users")
    refused = client.post("/memories?user=maya", data={"text": "x y", "form_token": token})
    assert refused.status_code == 403


HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'`{{7*7}}{%x%}&amp;\u202egnp"


class Parts(HTMLParser):
    """The elements of a page with their attributes, and its text, as a browser reads them; not
    what stands in a field to be changed, which is sent back as it is."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.said: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.elements and self.elements[-1][0] != "textarea":
            self.said.append(data)


def parts_of(page: str) -> tuple[list[tuple[str, dict[str, str | None]]], list[str]]:
    parser = Parts()
    parser.feed(page)
    return parser.elements, parser.said


def test_a_conversation_is_read_through(memory: Memory) -> None:
    """Every message stands on one page of the timeline, though all were said at once; the summary
    of a conversation is text for people; a long memory is cut in lists and whole on its page."""
    view = memory.scoped(user="何苗", session="S")
    view.observe([f"第{n}句 line {n}." for n in range(90)])
    view.context("现在说到哪了？")
    kept = view.remember("很长的记忆 long " * 100).memory_id
    client, address, seen, pages = visitor(memory), at("/timeline", user="何苗", session="S"), [], 0
    while address:
        page = client.get(address).text
        seen += re.findall(r"第(\d+)句 line \d+\.</a>", page)
        earlier = re.search(r'class="button" href="([^"]+)"', page)
        address = html.unescape(earlier[1]) if earlier else ""
        pages += 1
        assert "until" not in page
    assert [int(n) for n in seen] == list(range(89, -1, -1))
    assert pages == 3
    listed = client.get(at("/memories", user="何苗")).text
    whole = client.get(at(f"/memories/{kept}", user="何苗")).text
    assert listed.count("很长的记忆") < 30
    assert whole.count("很长的记忆") >= 100


def test_the_lines_of_a_correction_stay(memory: Memory) -> None:
    """What is corrected over several lines keeps them, however the browser ends them."""
    view = memory.scoped(user="何苗")
    kept = view.remember("步骤：\n一、开灯").memory_id
    client = visitor(memory)
    page = client.get(at(f"/memories/{kept}", user="何苗")).text
    assert "步骤：\n一、开灯</textarea>" in page
    token = token_of(client, "/")
    form = {"text": "步骤：\r\n一、开灯\r\n二、等五分钟", "form_token": token}
    client.post(at(f"/memories/{kept}/correct", user="何苗"), data=form)
    assert view.list().items[0].text == "步骤：\n一、开灯\n二、等五分钟"


def test_hostile_text_stays_text(memory: Memory) -> None:
    """Text that tries to be markup is shown as text, wherever it can get: memories, tags, meta,
    slots, events, names, conversations, users, questions, hard facts."""
    view = memory.scoped(user=HOSTILE, session=HOSTILE)
    kept = view.remember(
        f"a {HOSTILE} b",
        tags=[HOSTILE],
        meta={HOSTILE: HOSTILE},
        slot={"attribute": f"preference/{HOSTILE}", "value": HOSTILE},
        event={"type": HOSTILE, "entities": [HOSTILE], "outcome": HOSTILE},
        source=HOSTILE,
    )
    view.observe({"role": "user", "name": HOSTILE, "content": f"I live in {HOSTILE}"})
    view.observe({"role": "assistant", "content": HOSTILE})
    view.correct(kept.memory_id or "", f"c {HOSTILE} d")
    view.set_permanent(**{HOSTILE: HOSTILE})
    view.recall(HOSTILE)
    view.context(HOSTILE)
    client = visitor(memory)
    for path in [*every_page(memory, HOSTILE), at("/search", q=HOSTILE), at("/nope", q=HOSTILE)]:
        text = client.get(at(path, user=HOSTILE, session=HOSTILE, about=HOSTILE)).text
        elements, said = parts_of(text)
        assert {name for name, _ in elements if name in ("img", "iframe", "style")} == set(), path
        assert all("src" in given for name, given in elements if name == "script"), path
        assert not [name for _, given in elements for name in given if name.startswith("on")], path
        assert "49" not in re.findall(r"<h1[^>]*>(.*?)</h1>", text, re.DOTALL)[0]
        assert "\u202e" not in "".join(said), path
