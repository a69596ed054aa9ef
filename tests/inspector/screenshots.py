"""The pictures of docs/inspector.md: `python tests/inspector/screenshots.py`, with Chromium."""

from __future__ import annotations

import shutil
import socket
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import quote

import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright
from story import START, tell

from jiyi import Memory
from jiyi.access import Keyring
from jiyi.inspector import inspector_app
from jiyi.testing import FakeClock

OUT = Path(__file__).parents[2] / "docs" / "screenshots"
WIDTH = 1100
USER = f"user={quote('何苗')}"


def serve(folder: str) -> str:
    """Serve the story; returns the address."""
    clock = FakeClock(START)
    memory = Memory(Path(folder) / "agent.db", embedder=None, background=False, clock=clock)
    tell(memory, clock).consolidate()
    app = inspector_app(memory, Keyring(memory, open_without_keys=True))
    door = socket.socket()
    door.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
    threading.Thread(target=server.run, kwargs={"sockets": [door]}, daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    return f"http://127.0.0.1:{door.getsockname()[1]}"


def take(browser: Browser, address: str) -> None:
    """Every picture, in the languages and themes that the page shows."""

    def window(locale: str, scheme: str) -> Page:
        size = {"width": WIDTH, "height": 1300}
        return browser.new_context(locale=locale, color_scheme=scheme, viewport=size).new_page()

    def keep(page: Page, name: str, height: int | None = None) -> None:
        clip = None if height is None else {"x": 0, "y": 0, "width": WIDTH, "height": height}
        page.screenshot(path=OUT / f"{name}.png", full_page=height is None, clip=clip)

    english, chinese = window("en-US", "light"), window("zh-CN", "light")
    english_dark, chinese_dark = window("en-US", "dark"), window("zh-CN", "dark")

    english.goto(f"{address}/?{USER}")
    keep(english, "overview")
    chinese_dark.goto(f"{address}/search?{USER}&q={quote('发芽实验谁负责')}")
    chinese_dark.locator("#results > details summary").click()
    keep(chinese_dark, "search.zh")
    chinese.goto(f"{address}/memories?{USER}")
    chinese.locator("ul.lines a.text", has_text="搬到成都").first.click()
    chinese.locator("dl.facts").wait_for()
    keep(chinese, "memory.zh")
    english_dark.goto(f"{address}/traces?{USER}")
    english_dark.locator("tr", has_text="报告怎么写").locator("a").first.click()
    english_dark.get_by_text("What was put into the prompt").wait_for()
    keep(english_dark, "context", 1000)
    english.goto(f"{address}/forget?{USER}&query={quote('花生过敏')}")
    keep(english, "forget", 880)


if __name__ == "__main__":
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        take(opened, serve(folder))
        opened.close()
