"""What is a product: a name with a capital, a digit, Latin letters in Chinese, or a known one."""

from __future__ import annotations

import re
from typing import Final


def is_product(text: str) -> bool:
    """A product has a capital, a digit or Latin letters among Chinese: "use Vim", 用 Vue 2."""
    if text in _PHRASES or (re.fullmatch(r"[a-z][a-z.+#-]{1,24}", text) and text in PRODUCTS):
        return True
    return bool(
        re.search(r"[A-Z0-9]", text)
        or (re.search(r"[\u4e00-\u9fff]", text) is None and text.islower() and text in PRODUCTS)
    ) or bool(re.search(r"[a-z]{2,}", text) and re.search(r"[\u4e00-\u9fff]", text))


_PHRASES: Final = frozenset(
    [
        *(
            "vs code",
            "visual studio",
            "android studio",
            "google docs",
            "google sheets",
            "spring boot",
        ),
        *("github actions", "sublime text", "google drive", "ruby on rails", "node.js", "next.js"),
    ]
)
CHINESE: Final = (
    "飞书|钉钉|企业微信|微信|腾讯会议|语雀|石墨文档?|印象笔记|有道云笔记|剪映|墨刀|支付宝|禅道|"
    "蓝湖|即时设计|腾讯文档|金山文档|百度网盘|坚果云|幕布|滴答清单"
)
"""Names in Chinese letters alone, which nothing else tells from common nouns: a regex."""

_KINDS: Final = {
    product: kind
    for kind, products in (
        (
            "editor",
            "vs code|vscode|cursor|vim|neovim|emacs|sublime|intellij|idea|pycharm|zed|xcode",
        ),
        ("system", "windows|macos|mac|linux|ubuntu|debian|fedora|arch"),
        ("browser", "chrome|edge|firefox|safari|arc"),
        ("notes", "notion|obsidian|logseq|evernote|onenote|印象笔记|语雀|有道云笔记|flomo"),
        ("office", "飞书|钉钉|企业微信|slack|teams"),
        ("packages", "npm|pnpm|yarn|bun"),
        ("database", "mysql|postgresql|postgres|sqlite|mongodb|tidb|oracle"),
        ("container", "docker|podman"),
        ("git", "github|gitlab|gitee|bitbucket|svn|git"),
    )
    for product in products.split("|")
}


def rivals(one: str, other: str) -> bool:
    """Whether two products are of a kind of which people use one at a time."""
    kind = _KINDS.get(one.casefold())
    return (
        kind is not None
        and one.casefold() != other.casefold()
        and kind == _KINDS.get(other.casefold())
    )


PRODUCTS: Final = frozenset(
    re.findall(
        r"\S+",
        "python rust go java kotlin swift typescript javascript ruby php scala julia perl "
        "lua elixir haskell vim neovim emacs git docker kubernetes terraform ansible "
        "postgres postgresql mysql sqlite redis mongodb kafka rabbitmq nginx django flask "
        "fastapi rails react vue angular svelte pytorch tensorflow pandas numpy linux ubuntu "
        "debian fedora arch windows macos chrome firefox safari slack notion obsidian figma "
        "jira excel latex markdown bash zsh fish tmux pytest poetry uv ruff black npm pnpm "
        "yarn bun vite webpack trello asana airtable clickup miro canva photoshop lightroom "
        "vscode django htmx tailwind pycharm intellij xcode powershell kotlin flutter helix "
        "overleaf grafana prometheus jenkins bazel gradle maven zotero evernote onenote todoist",
    )
)
