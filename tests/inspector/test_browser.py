"""The pages in a real browser: what a person does there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from jiyi.inspector.routes import GETS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from conftest import Site

USER = "何苗"


@pytest.fixture(scope="module")
def site(browser: Browser, start: Callable[[], Site]) -> Site:
    """One site for the tests that change nothing that others look at."""
    del browser  # without one there is nothing to start
    return start()


class Visitor:
    """A browser window, and everything that went wrong in it."""

    def __init__(self, page: Page, site: Site) -> None:
        self.page = page
        self.site = site
        self.wrong: list[str] = []
        page.on("console", lambda said: self.wrong.append(said.text))
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("dialog", lambda dialog: self.wrong.append(dialog.message))

    def go(self, path: str, user: str | None = USER) -> Page:
        query = "" if user is None else f"{'&' if '?' in path else '?'}user={quote(user)}"
        self.page.goto(f"{self.site.address}{path}{query}")
        return self.page

    def see(self, text: str) -> None:
        from playwright.sync_api import expect

        expect(self.page.locator("main")).to_contain_text(text)


Open = Callable[..., Visitor]


@pytest.fixture
def visit(browser: Browser) -> Iterator[Open]:
    """Open a window; in the end nothing may have gone wrong in it."""
    contexts: list[Any] = []
    visitors: list[Visitor] = []

    def opened(site: Site, language: str = "en", **options: Any) -> Visitor:
        context = browser.new_context(locale="zh-CN" if language == "zh" else "en-US", **options)
        context.set_default_timeout(20_000)
        contexts.append(context)
        visitors.append(Visitor(context.new_page(), site))
        return visitors[-1]

    yield opened
    for context in contexts:
        context.close()
    assert [visitor.wrong for visitor in visitors if visitor.wrong] == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_page(site: Site, visit: Open, language: str) -> None:
    """Each page opens without a complaint of the browser (its policy forbids inline code), in the
    browser's language, and does not scroll sideways on a phone."""
    window = visit(site, language, viewport={"width": 390, "height": 800})
    for path in (path for path in GETS if "{" not in path):
        page = window.go(path)
        assert page.locator("h1").count() == 1, path
        assert page.locator("html").get_attribute("lang") == ("zh-CN" if language == "zh" else "en")
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 390, (path, wide)


def test_by_keyboard_alone(site: Site, visit: Open) -> None:
    """The first stop leads past the navigation; "/" goes to the search field; every field and
    button has a name."""
    window = visit(site)
    page = window.go("/memories")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "words"
    nameless = """() => [...document.querySelectorAll("input, select, button, a")].filter(
        e => e.type !== "hidden" && !e.labels?.length && !e.textContent.trim() && !e.ariaLabel
    ).length"""
    for path in (path for path in GETS if "{" not in path):
        assert window.go(path).evaluate(nameless) == 0, path


def test_finding(site: Site, visit: Open) -> None:
    """A question brings its answer with why, without loading the page anew; the address can be
    kept; and a question about nothing is answered with nothing."""
    window = visit(site, "zh")
    page = window.go("/search")
    page.evaluate("window.kept = true")
    page.fill("#q", "发芽实验谁负责")
    page.keyboard.press("Enter")
    window.see("李工负责发芽实验")
    window.see("为什么回忆起它")
    window.see("每条检索路找到的数量")
    assert page.evaluate("window.kept") is True
    assert "q=" in page.url
    page.reload()
    window.see("李工负责发芽实验")
    page.locator("ol.hits a.text").first.click()
    window.see("写入评分")
    window.go("/search?q=" + quote("quantum chromodynamics"))
    window.see("没有相关记忆")


def test_what_went_into_a_reply(site: Site, visit: Open) -> None:
    """From a reply to the context that had been made for it, with its layers."""
    window = visit(site)
    page = window.go("/timeline")
    page.locator(".r-assistant a.text").first.click()
    window.see("What had been put into its context")
    page.locator("main section a[href*='/traces/']").first.click()
    window.see("What was put into the prompt")
    window.see("What was found")


def test_language_and_theme_are_kept(site: Site, visit: Open) -> None:
    """The switches work on any page, come back to it, and hold for the next one."""
    window = visit(site, "en", color_scheme="light")
    page = window.go("/profile")
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(colour)
    page.click("text=中文")
    window.see("硬事实")
    page.click("text=深色")
    page.locator("html[data-theme=dark]").wait_for()
    dark = page.evaluate(colour)
    page.click("nav >> text=时间线")
    page.locator("h1", has_text="时间线").wait_for()
    assert page.evaluate(colour) == dark != light
    page.click("text=浅色")
    page.locator("html[data-theme=light]").wait_for()
    assert page.evaluate(colour) == light


def test_narrowing_the_list(site: Site, visit: Open) -> None:
    """Typing narrows the list without a click."""
    window = visit(site)
    page = window.go("/memories")
    page.locator("#words").press_sequentially("photometer", delay=10)
    window.see("1 found")
    page.select_option("#status", "superseded")
    window.see("0 found")


def test_correcting_and_undoing(start: Callable[[], Site], visit: Open, browser: Browser) -> None:
    """A correction shows what changed; it can be undone; feedback and pinning are kept."""
    site = start()
    window = visit(site)
    page = window.go("/memories?words=photometer")
    page.locator("#rows a.text").first.click()
    page.fill("#text", "The photometer needs ten minutes to warm up")
    page.click("button:has-text('Correct')")
    window.see("Corrected.")
    assert page.locator(".diff del").all_inner_texts() == ["five"]
    assert page.locator(".diff ins").all_inner_texts() == ["ten"]
    page.click("button:text('Pin')")
    window.see("pinned")
    page.click("button:text-is('Helpful')")
    window.see("helpful 1")
    texts = [r.text for r in site.memory.scoped(user=USER).recall("photometer warm up")]
    assert texts[0] == "The photometer needs ten minutes to warm up"
    page = window.go("/memories?words=ten minutes")
    page.locator("#rows a.text").first.click()
    page.locator("summary", has_text="Audit").click()
    page.locator("tr", has_text="store").locator("button").click()
    window.see("Taken back.")
    texts = [r.text for r in site.memory.scoped(user=USER).recall("photometer warm up")]
    assert texts[0] == "The photometer needs five minutes to warm up"


def test_forgetting(start: Callable[[], Site], visit: Open, browser: Browser) -> None:
    """First what would go, then the receipt; afterwards nothing knows it any more."""
    site = start()
    window = visit(site, "zh")
    page = window.go("/forget")
    page.fill("#query", "花生")
    page.click("text=查看将会清除什么")
    window.see("我对花生过敏。")
    assert site.memory.scoped(user=USER).recall("花生", limit=1)[0].text.startswith("我对花生过敏")
    page.click("button:text-is('彻底清除')")
    window.see("已清除。")
    window.see("备份")
    window.go("/search?q=" + quote("花生"))
    assert "我对花生过敏" not in page.locator("main").inner_text()
    window.go("/memories")
    assert "花生" not in page.locator("main").inner_text()


def test_what_waits_for_a_person(start: Callable[[], Site], visit: Open, browser: Browser) -> None:
    """A contradiction is settled, candidates are confirmed or dropped, the profile is edited."""
    site = start()
    window = visit(site)
    page = window.go("/conflicts")
    side = page.locator(".side", has_text="The deploy is on Friday")
    side.locator("button").click()
    window.see("Nothing contradicts.")
    window.go("/candidates")
    page.locator("li", has_text="花粉").locator("button:text('Confirm')").click()
    window.see("Confirmed")
    window.see("Nothing waits.")
    view = site.memory.scoped(user=USER)
    assert any("花粉" in hit.text for hit in view.recall("花粉过敏"))
    window.go("/profile")
    page.fill("[aria-label='role']", "组长")
    page.locator("tr", has_text="role").locator("button").click()
    window.see("Saved.")
    page.fill("[aria-label='home']", "杭州")
    page.locator("tr", has_text="home").locator("button").click()
    window.see("Saved.")
    page.fill("[aria-label='allergy'] >> nth=0", "腰果")
    page.locator("tr", has_text="allergy").first.locator("button").click()
    window.see("Saved.")
    allergies = {f.value for f in view.profile().learned if f.attribute == "allergy"}
    assert allergies == {"腰果", "花生"}  # 花粉, which came first in the list, is no longer one
    assert view.profile().permanent["role"] == "组长"
    assert view.profile().get("residence") == "杭州"


def test_consolidating_and_taking_it_back(
    start: Callable[[], Site], visit: Open, browser: Browser
) -> None:
    """The plan says what would be done, the run does it and reports, and is undone whole."""
    site = start()
    view = site.memory.scoped(user=USER)
    window = visit(site)
    page = window.go("/consolidation")
    page.click("text=Show what would be done")
    window.see("I prefer brief replies")
    before = {record.text for record in view.list(limit=100).items}
    page.click("text=Run it now")
    window.see("Report of the run")
    after = {record.text for record in view.list(limit=100).items}
    assert after < before
    page.click("text=Take the whole run back")
    window.see("Taken back.")
    assert {record.text for record in view.list(limit=100).items} == before


def test_logging_in(start: Callable[[], Site], visit: Open, browser: Browser) -> None:
    """Once there is a key the door is shut: a wrong key is refused, the right one opens the page
    that was asked for, and logging out shuts it again."""
    site = start()
    token = site.keyring.create("何苗", users=[USER], rights=["read"]).token
    window = visit(site)
    page = window.go("/profile")
    page.fill("#key", "jiyi_wrong")
    page.keyboard.press("Enter")
    window.see("unknown, revoked or expired")
    window.wrong.clear()  # Chromium writes the refusal to its console
    page.fill("#key", token)
    page.keyboard.press("Enter")
    window.see("Hard facts")
    assert page.locator("button:text('Save')").count() == 0
    assert "jiyi_key" not in page.evaluate("document.cookie")
    page.click("text=Log out")
    window.see("Log in")
    window.go("/users")
    window.see("Log in")
